/* api/api_explain.c - warming a grammar up, and telling people what it became; see gmask.h. */
#include "api/objects.h"
#include "match/explore.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- prewarm ---- */

enum { WARM_STATES = 4096, STEP_WORK = 256 };

typedef struct warming {
    gm_grammar *grammar;
    gm_walk walk;
    uint32_t *words;
    size_t word_count;
    uint64_t states, work;
} warming;

static gm_status warm_state(void *context, gm_arena *journal, const gm_config *config, uint32_t id)
{
    warming *w = context;
    (void)id;
    const gm_mask_source source = {w->grammar->compiler->vocab, &w->grammar->machine, w->grammar->compiler->inner,
                                   w->grammar->memo};
    gm_canvas canvas;
    gm_mask_origin origin;
    const gm_memo_entry *found;
    gm_canvas_init(&canvas, w->words, w->word_count);
    GM_TRY(gm_mask_compute(&source, &w->walk, journal, config, &canvas, &origin, &found));
    w->states++;
    return w->walk.visited + w->states * STEP_WORK < w->work ? GM_OK : GM_TERMINATED;
}

gm_status gm_grammar_prewarm(gm_grammar *grammar, uint64_t work, gm_error *error)
{
    if (grammar == NULL)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "grammar must not be NULL");
    const gm_allocator *allocator = &grammar->compiler->allocator;
    const size_t count = gm_vocab_mask_words(grammar->compiler->vocab);
    warming w = {.grammar = grammar, .work = work, .word_count = count};
    w.words = gm_allocate(allocator, count, sizeof *w.words);
    if (w.words == NULL)
        return gm_no_memory(error);
    gm_walk_init(&w.walk, allocator, grammar->compiler->limits.max_mask_work);
    const gm_explorer explorer = {&w, warm_state, NULL};
    gm_memo_join(grammar->memo);
    const gm_status status = gm_explore(&grammar->machine, allocator, WARM_STATES, &explorer);
    gm_memo_leave(grammar->memo);
    gm_walk_destroy(&w.walk);
    gm_deallocate(allocator, w.words, count, sizeof *w.words);
    if (status == GM_OK || status == GM_TERMINATED || status == GM_LIMIT)
        return GM_OK; /* LIMIT: one mask is beyond max_mask_work, and will say so itself */
    return gm_no_memory(error);
}

/* ---- explain ---- */

enum { EXPLAINED_STATES = 2000 };

typedef struct explaining {
    const gm_machine *machine;
    bool dot;
    gm_write write;
    void *context;
    bool stopped; /* the writer said no */
} explaining;

static gm_status put(explaining *e, const char *format, ...) GM_PRINTF(2, 3);
static gm_status put(explaining *e, const char *format, ...)
{
    char text[640];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const size_t size = length < 0 ? 0 : (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    e->stopped = e->stopped || !e->write(e->context, text, size);
    return e->stopped ? GM_IO : GM_OK;
}

/* A byte as people write it, safe inside the quotes of a dot file. */
static void byte_text(uint8_t byte, char out[8])
{
    if (byte > 0x20 && byte < 0x7F && byte != '"' && byte != '\\')
        snprintf(out, 8, "%c", byte);
    else
        snprintf(out, 8, "0x%02X", byte);
}

static gm_status explain_state(void *context, gm_arena *journal, const gm_config *config, uint32_t id)
{
    explaining *e = context;
    (void)journal;
    const gm_place *place = gm_config_place(e->machine, config);
    const char *pointer = gm_form_profile(e->machine->form, place->labels[0])->pointer;
    if (!e->dot)
        return put(e, "state %u: %s; asked by #%s%s\n", id, gm_config_text(config), pointer,
                   gm_machine_may_end(config) ? "; may end" : "");
    char safe[256];
    size_t length = 0;
    for (; pointer[length] != '\0' && length + 1 < sizeof safe; length++)
        safe[length] = pointer[length] == '"' || pointer[length] == '\\' ? '_' : pointer[length];
    safe[length] = '\0';
    return put(e, "  s%u [label=\"%u: %s\\n#%s\"%s];\n", id, id, gm_config_text(config), safe,
               gm_machine_may_end(config) ? ", peripheries=2" : "");
}

static gm_status explain_edge(void *context, uint32_t from, uint32_t to, uint8_t first, uint8_t last)
{
    explaining *e = context;
    char low[8], high[8], range[20];
    byte_text(first, low);
    byte_text(last, high);
    snprintf(range, sizeof range, first == last ? "%s" : "%s..%s", low, high);
    return put(e, e->dot ? "  s%u -> s%u [label=\"%s\"];\n" : "  %u -> %u on %s\n", from, to, range);
}

gm_status gm_grammar_explain(gm_grammar *grammar, bool dot, gm_write write, void *context, gm_error *error)
{
    if (grammar == NULL || write == NULL)
        return gm_fail(error, GM_INVALID_ARGUMENT, "", "", "grammar and write must not be NULL");
    explaining e = {.machine = &grammar->machine, .dot = dot, .write = write, .context = context};
    const gm_explorer explorer = {&e, explain_state, explain_edge};
    gm_status status = put(&e, "%s", dot ? "digraph grammar {\n  rankdir=LR;\n  node [shape=box];\n" : "");
    if (status == GM_OK)
        status = gm_explore(&grammar->machine, &grammar->compiler->allocator, EXPLAINED_STATES, &explorer);
    if (status == GM_OK && dot)
        status = put(&e, "}\n");
    if (status == GM_IO)
        return gm_fail(error, GM_IO, "", "", "the writer took no more text");
    return status == GM_OUT_OF_MEMORY ? gm_no_memory(error) : status;
}
