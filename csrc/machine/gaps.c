/* machine/gaps.c - see gaps.h. */
#include "machine/gaps.h"

enum { DEFAULT_INDENT = 2 };

/* Splits `text` around its one `mark`; everything else must be white space. */
static gm_status split(gm_arena *arena, const char *text, char mark, const char *name, gm_bytes *before,
                       gm_bytes *after, gm_error *error)
{
    const size_t length = strlen(text);
    size_t at = SIZE_MAX;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == mark && at == SIZE_MAX)
            at = i;
        else if (!gm_is_whitespace((uint8_t)text[i]))
            at = SIZE_MAX - 1;
    }
    if (at >= length)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", name, "expected one '%c' with nothing but white space around it",
                       mark);
    const char *copy = gm_arena_text(arena, (gm_bytes){text, length});
    if (copy == NULL)
        return gm_no_memory(error);
    *before = (gm_bytes){copy, at};
    *after = (gm_bytes){copy + at + 1, length - at - 1};
    return GM_OK;
}

gm_status gm_gaps_init(gm_gaps *gaps, const gm_schema_options *options, gm_arena *arena, gm_error *error)
{
    *gaps = (gm_gaps){.kind = options->whitespace,
                      .most = options->max_whitespace != 0 ? options->max_whitespace : GM_DEFAULT_RUN,
                      .indent = options->indent != 0 ? options->indent : DEFAULT_INDENT};
    if (gaps->kind == GM_WHITESPACE_FLEXIBLE || gaps->kind == GM_WHITESPACE_COMPACT)
        return GM_OK;
    const char *key = options->key_separator != NULL ? options->key_separator : ": ";
    const char *item = options->item_separator != NULL ? options->item_separator : ", ";
    GM_TRY(split(arena, key, ':', "key_separator", &gaps->fixed[GM_GAP_KEY], &gaps->fixed[GM_GAP_COLON], error));
    if (gaps->kind == GM_WHITESPACE_SPACED)
        GM_TRY(split(arena, item, ',', "item_separator", &gaps->fixed[GM_GAP_ITEM], &gaps->fixed[GM_GAP_COMMA], error));
    return GM_OK;
}

/* Indented gaps that hold a line break: its length, or 0 for a gap that holds none. */
static uint64_t line_length(const gm_gaps *gaps, gm_gap gap, uint64_t depth, bool closing)
{
    if (gap == GM_GAP_ITEM)
        return closing ? 1 + gaps->indent * (depth - 1) : 0;
    return closing ? 0 : 1 + gaps->indent * depth;
}

static bool has_line(const gm_gaps *gaps, gm_gap gap)
{
    return gaps->kind == GM_WHITESPACE_INDENTED && gap != GM_GAP_KEY && gap != GM_GAP_COLON;
}

bool gm_gaps_take_fixed(const gm_gaps *gaps, gm_gap gap, uint32_t done, uint64_t depth, uint8_t byte, bool can_more,
                        bool can_close, uint32_t *next)
{
    *next = done + 1;
    if (has_line(gaps, gap)) {
        const bool closing = gap == GM_GAP_ITEM;
        return (closing ? can_close : can_more) && done < line_length(gaps, gap, depth, closing) &&
               byte == (done == 0 ? '\n' : ' ');
    }
    const gm_bytes fixed = gaps->fixed[gap];
    return (gap != GM_GAP_ITEM || can_more) && done < fixed.length && (uint8_t)fixed.data[done] == byte;
}

bool gm_gaps_end_fixed(const gm_gaps *gaps, gm_gap gap, uint32_t done, uint64_t depth, bool closing)
{
    if (has_line(gaps, gap))
        return done == line_length(gaps, gap, depth, closing);
    return closing ? done == 0 : done == gaps->fixed[gap].length;
}
