/*
 * gmask/files.h - vocabularies from the tokenizer files that models ship with.
 *
 * Reads Hugging Face tokenizer.json (byte-level BPE, BPE with byte fallback, Unigram, WordPiece),
 * tiktoken rank files, tekken.json, SentencePiece tokenizer.model and GGUF (the header only, in
 * either byte order). The kind is told from the content, never from the file's name.
 *
 * Exact or refused: each id gets the bytes that the format's own decoder gives it in the middle of
 * a text, or the file is refused. A damaged, truncated or foreign file is GM_INVALID_FILE, and the
 * message names the field or the offset; a sound file whose tokens have no fixed bytes (a decoder
 * that we do not know, say) is GM_UNSUPPORTED.
 *
 * A library of its own beside gmask: needs json-c, and nothing of gmask but its public header.
 * Every function may be called from any thread; an info is immutable. The allocator of the options
 * serves this library and the vocabulary; what json-c parses (small parts of a file, freed before
 * the call returns) comes from malloc. A file must not shrink while it is being read.
 */
#ifndef GMASK_FILES_H
#define GMASK_FILES_H

#include "gmask/gmask.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum gm_file_kind {
    GM_FILE_UNKNOWN = 0,
    GM_FILE_TIKTOKEN = 1,         /* lines of base64, space, rank */
    GM_FILE_HF_BYTE_LEVEL = 2,    /* tokenizer.json with a ByteLevel decoder */
    GM_FILE_HF_BYTE_FALLBACK = 3, /* tokenizer.json, BPE with <0xNN> pieces */
    GM_FILE_HF_BPE = 4,           /* tokenizer.json, BPE with neither */
    GM_FILE_HF_UNIGRAM = 5,
    GM_FILE_HF_WORD_PIECE = 6,
    GM_FILE_TEKKEN = 7,
    GM_FILE_SENTENCE_PIECE = 8,
    GM_FILE_GGUF_BYTE_LEVEL = 9,
    GM_FILE_GGUF_SENTENCE_PIECE = 10,
    GM_FILE_GGUF_WORD_PIECE = 11
} gm_file_kind;

/* A short name such as "tiktoken", "hf-bytelevel" or "gguf-spm". Static storage. */
GM_API const char *gm_file_kind_name(gm_file_kind kind);

/* Everything is copied. Zero in a field means none, or the default that the comment names. */
typedef struct gm_file_options {
    size_t struct_size;

    /* Special tokens of a rank file, which does not hold its own: a JSON object of id to text,
     * {"128000": "<|begin_of_text|>"}, of text to id, {"<|begin_of_text|>": 128000}, or both mixed.
     * One id may have several texts. From a file or from memory, not both; for any other kind of
     * file GM_INVALID_ARGUMENT, since there the file decides. */
    const char *specials_path;
    const char *specials; /* JSON text, need not be NUL-terminated */
    size_t specials_length;

    /* The stop set: these ids, and every token whose literal text is one of these (the special
     * tokens of that text, else the added ones, else the ordinary ones). When both lists are empty
     * the stop set is what the file declares: the end-of-sequence, -turn and -message ids of a GGUF
     * file, eos_id of a SentencePiece model, nothing in the other formats. */
    const uint32_t *stop;
    size_t stop_count;
    const char *const *stop_texts; /* NUL-terminated; an unknown text is GM_INVALID_ARGUMENT */
    size_t stop_text_count;

    size_t logit_width; /* 0 = highest id + 1; many models have more logits than tokens */
    bool allow_added;   /* as in gm_vocab_desc */
    const gm_allocator *allocator;
} gm_file_options;

/* Makes the vocabulary of a file. `options` may be NULL. GM_IO when the file cannot be read. */
GM_API gm_status gm_vocab_open(const char *path, const gm_file_options *options, gm_vocab **vocab, gm_error *error);
/* The same from the bytes of a file, which are borrowed for the call. */
GM_API gm_status gm_vocab_open_memory(const uint8_t *data, size_t size, const gm_file_options *options,
                                      gm_vocab **vocab, gm_error *error);

/* What a file tells besides token texts: its kind and the names of its special tokens. It owns a
 * reference to the vocabulary, so one reading serves both. */
typedef struct gm_vocab_info gm_vocab_info;

GM_API gm_status gm_vocab_info_open(const char *path, const gm_file_options *options, gm_vocab_info **info,
                                    gm_error *error);
GM_API gm_status gm_vocab_info_open_memory(const uint8_t *data, size_t size, const gm_file_options *options,
                                           gm_vocab_info **info, gm_error *error);
GM_API void gm_vocab_info_destroy(gm_vocab_info *info); /* NULL is fine */

GM_API gm_vocab *gm_vocab_info_vocab(const gm_vocab_info *info); /* borrowed: retain it to keep it */
GM_API gm_file_kind gm_vocab_info_kind(const gm_vocab_info *info);

/* Literal texts of control and unknown tokens, by ascending id; an id with two names comes twice.
 * Text is borrowed, NUL-terminated, may hold NULs, and is never output of the model. */
GM_API size_t gm_vocab_info_special_count(const gm_vocab_info *info);
GM_API gm_status gm_vocab_info_special(const gm_vocab_info *info, size_t index, uint32_t *id, const char **text,
                                       size_t *length);
/* Ids of the tokens with this literal text, ascending: the special ones, else the added ones, else
 * the ordinary ones. Writes at most `capacity` of them and returns how many there are. */
GM_API size_t gm_vocab_info_find(const gm_vocab_info *info, const char *text, size_t length, uint32_t *ids,
                                 size_t capacity);
/* The stop ids that the file itself declares, whatever the options said. Borrowed. */
GM_API const uint32_t *gm_vocab_info_declared_stop(const gm_vocab_info *info, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
