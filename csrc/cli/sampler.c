/*
 * cli/sampler.c - see sampler.h.
 */
#include "cli/sampler.h"

#include "cli/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- classes ---- */

typedef enum token_class {
    /* inside a string */
    CLASS_WORD,  /* letters, with at most a space before them */
    CLASS_PLAIN, /* other printable ASCII */
    CLASS_UNQUOTE, /* the closing quote alone */
    CLASS_UNQUOTE_MORE, /* with punctuation after it */
    /* outside */
    CLASS_QUOTE, /* opens a string, whatever follows */
    CLASS_DIGIT, /* one alone */
    CLASS_DIGITS,
    CLASS_SIGN,
    CLASS_POINT,  /* a decimal point, maybe with digits */
    CLASS_LETTER, /* of true, false, null and exponents */
    CLASS_OPEN,   /* opens an array or object, whatever else it does */
    CLASS_CLOSE,  /* one closing bracket alone */
    CLASS_CLOSE_MORE,
    CLASS_COMMA, /* alone */
    CLASS_COMMA_MORE,
    CLASS_COLON,
    CLASS_BLANK, /* white space alone */
    /* both */
    CLASS_LINE, /* whatever starts a new line: only where nothing else is allowed */
    CLASS_ODD, /* escapes, everything beyond ASCII, and what fits in nowhere else */
    CLASS_STOP,
    CLASS_SILENT, /* no text: never allowed */
    CLASS_COUNT
} token_class;

/* Weight of a class, and how impatience pushes it. */
static const struct {
    float weight;
    float push;
} class_traits[CLASS_COUNT] = {
    [CLASS_WORD] = {.weight = 1.0f, .push = 0},
    [CLASS_PLAIN] = {.weight = 0.06f, .push = 0},
    [CLASS_UNQUOTE] = {.weight = 0.2f, .push = 1},
    [CLASS_UNQUOTE_MORE] = {.weight = 0.2f, .push = 1},
    [CLASS_QUOTE] = {.weight = 1.0f, .push = 1},
    [CLASS_DIGIT] = {.weight = 0.5f, .push = 1},
    [CLASS_DIGITS] = {.weight = 0.5f, .push = 1},
    [CLASS_SIGN] = {.weight = 0.01f, .push = 1},
    [CLASS_POINT] = {.weight = 0.4f, .push = 1},
    [CLASS_LETTER] = {.weight = 0.5f, .push = 1},
    [CLASS_OPEN] = {.weight = 1.0f, .push = 0},
    [CLASS_CLOSE] = {.weight = 0.3f, .push = 3},
    [CLASS_CLOSE_MORE] = {.weight = 0.3f, .push = 3},
    [CLASS_COMMA] = {.weight = 0.5f, .push = 2},
    [CLASS_COMMA_MORE] = {.weight = 0.5f, .push = 2},
    [CLASS_COLON] = {.weight = 1.0f, .push = 1},
    [CLASS_BLANK] = {.weight = 0.01f, .push = -1},
    [CLASS_LINE] = {.weight = 1e-12f, .push = -1},
    [CLASS_ODD] = {.weight = 0.002f, .push = -0.5f},
    [CLASS_STOP] = {.weight = 2.0f, .push = 3},
    [CLASS_SILENT] = {.weight = 1.0f, .push = 0},
};

static bool is_letter(uint8_t byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

static bool is_all_blank(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_blank(bytes[i]))
            return false;
    return true;
}

static bool has_line(const uint8_t *bytes, size_t length)
{
    return memchr(bytes, '\n', length) != NULL || memchr(bytes, '\r', length) != NULL;
}

static bool is_punctuation(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!is_blank(bytes[i]) && memchr("{}[],:\"", bytes[i], 7) == NULL)
            return false;
    return true;
}

static bool is_digits(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] < '0' || bytes[i] > '9')
            return false;
    return true;
}

static bool is_odd(const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (bytes[i] >= 0x7F || bytes[i] == '\\' || (bytes[i] < 0x20 && !is_blank(bytes[i])))
            return true;
    return false;
}

static token_class class_in_string(const uint8_t *bytes, size_t length)
{
    if (has_line(bytes, length))
        return CLASS_LINE;
    if (bytes[0] == '"' && is_punctuation(bytes, length))
        return length == 1 ? CLASS_UNQUOTE : CLASS_UNQUOTE_MORE;
    if (is_odd(bytes, length) || (length > 1 && is_all_blank(bytes, length)))
        return CLASS_ODD;
    const size_t start = bytes[0] == ' ' && length > 1;
    for (size_t i = start; i < length; i++)
        if (!is_letter(bytes[i]))
            return CLASS_PLAIN;
    return CLASS_WORD;
}

static token_class class_outside(const uint8_t *bytes, size_t length)
{
    size_t at = 0;
    if (has_line(bytes, length))
        return CLASS_LINE;
    if (is_all_blank(bytes, length))
        return CLASS_BLANK;
    if (is_odd(bytes, length))
        return CLASS_ODD;
    while (is_blank(bytes[at]))
        at++;
    for (size_t i = at; i < length; i++)
        if (bytes[i] == '{' || bytes[i] == '[')
            return CLASS_OPEN;
    switch (bytes[at]) {
    case '"':
        return CLASS_QUOTE;
    case '}':
    case ']':
        return length == 1 ? CLASS_CLOSE : CLASS_CLOSE_MORE;
    case ',':
        return length == 1 ? CLASS_COMMA : CLASS_COMMA_MORE;
    case ':':
        return CLASS_COLON;
    case '-':
        return CLASS_SIGN;
    case '.':
        return is_digits(bytes + at + 1, length - at - 1) ? CLASS_POINT : CLASS_ODD;
    default:
        if (is_letter(bytes[at]))
            return CLASS_LETTER;
        if (!is_digits(bytes + at, length - at))
            return CLASS_ODD;
        return length == 1 ? CLASS_DIGIT : CLASS_DIGITS;
    }
}

/* ---- the sampler ---- */

/* Impatience begins at this token of a document and grows by one every SLOWNESS further tokens; past
 * the bound the pushes outweigh everything and it need not grow. */
enum { PATIENCE = 64, SLOWNESS = 8, MOST_IMPATIENCE = 64 };

/* Gumbel noise comes from a table: a step over 200,000 tokens may not take 200,000 logarithms. */
enum { NOISE_BITS = 16, NOISE_COUNT = 1 << NOISE_BITS };

struct gm_cli_sampler {
    gm_vocab *vocab; /* borrowed */
    size_t token_count;
    size_t logit_width;
    uint8_t *classes[2]; /* outside, inside a string */
    float base[2][CLASS_COUNT];
    float *logits;
    float noise[NOISE_COUNT];
    uint64_t random;
    size_t step;
    bool is_in_string;
    bool is_escaped; /* the last byte was a backslash that escapes the next one */
};

/* xorshift64*: the state is never zero. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Du;
}

static void fill_noise(float *noise)
{
    for (size_t i = 0; i < NOISE_COUNT; i++)
        noise[i] = (float)-log(-log(((double)i + 0.5) / NOISE_COUNT));
}

static void classify(gm_cli_sampler *sampler)
{
    for (size_t id = 0; id < sampler->logit_width; id++) {
        const uint8_t *bytes = NULL;
        size_t length = 0;
        uint32_t flags;
        if (id < sampler->token_count)
            gm_vocab_token(sampler->vocab, (uint32_t)id, &bytes, &length, &flags);
        const bool has_text = bytes != NULL && length > 0;
        sampler->classes[0][id] = (uint8_t)(has_text ? class_outside(bytes, length) : CLASS_SILENT);
        sampler->classes[1][id] = (uint8_t)(has_text ? class_in_string(bytes, length) : CLASS_SILENT);
    }
}

static void weigh_classes(gm_cli_sampler *sampler)
{
    for (size_t inside = 0; inside < 2; inside++) {
        size_t counts[CLASS_COUNT] = {0};
        for (size_t id = 0; id < sampler->logit_width; id++)
            counts[sampler->classes[inside][id]]++;
        for (size_t c = 0; c < CLASS_COUNT; c++)
            sampler->base[inside][c] = logf(class_traits[c].weight / (float)(counts[c] != 0 ? counts[c] : 1));
    }
}

gm_cli_sampler *gm_cli_sampler_create(gm_vocab *vocab, const uint32_t *stop, size_t stop_count, uint64_t seed)
{
    gm_cli_sampler *sampler = gm_cli_allocate(1, sizeof *sampler);
    sampler->vocab = vocab;
    sampler->token_count = gm_vocab_token_count(vocab);
    sampler->logit_width = gm_vocab_logit_width(vocab);
    sampler->classes[0] = gm_cli_allocate(sampler->logit_width, 1);
    sampler->classes[1] = gm_cli_allocate(sampler->logit_width, 1);
    sampler->logits = gm_cli_allocate(sampler->logit_width, sizeof *sampler->logits);
    classify(sampler);
    for (size_t i = 0; i < stop_count; i++)
        sampler->classes[0][stop[i]] = sampler->classes[1][stop[i]] = CLASS_STOP;
    weigh_classes(sampler);
    fill_noise(sampler->noise);
    sampler->random = seed * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u;
    if (sampler->random == 0)
        sampler->random = 1;
    for (int i = 0; i < 8; i++) /* neighbouring seeds part ways */
        next_random(&sampler->random);
    return sampler;
}

void gm_cli_sampler_destroy(gm_cli_sampler *sampler)
{
    if (sampler == NULL)
        return;
    free(sampler->classes[0]);
    free(sampler->classes[1]);
    free(sampler->logits);
    free(sampler);
}

void gm_cli_sampler_begin(gm_cli_sampler *sampler)
{
    sampler->step = 0;
    sampler->is_in_string = sampler->is_escaped = false;
}

float *gm_cli_sampler_logits(gm_cli_sampler *sampler)
{
    float value[CLASS_COUNT];
    const size_t past = sampler->step > PATIENCE ? sampler->step - PATIENCE : 0;
    const float impatience = past < MOST_IMPATIENCE * SLOWNESS ? (float)past / SLOWNESS : MOST_IMPATIENCE;
    for (size_t c = 0; c < CLASS_COUNT; c++)
        value[c] = sampler->base[sampler->is_in_string][c] + impatience * class_traits[c].push;

    const uint8_t *classes = sampler->classes[sampler->is_in_string];
    for (size_t id = 0; id < sampler->logit_width; id++)
        sampler->logits[id] = value[classes[id]] + sampler->noise[next_random(&sampler->random) >> (64 - NOISE_BITS)];
    return sampler->logits;
}

uint32_t gm_cli_sampler_pick(const gm_cli_sampler *sampler)
{
    uint32_t best = UINT32_MAX;
    float most = -INFINITY;
    for (size_t id = 0; id < sampler->logit_width; id++)
        if (sampler->logits[id] > most) {
            most = sampler->logits[id];
            best = (uint32_t)id;
        }
    return best;
}

void gm_cli_sampler_advance(gm_cli_sampler *sampler, uint32_t token)
{
    const uint8_t *bytes = NULL;
    size_t length = 0;
    uint32_t flags;
    sampler->step++;
    if (gm_vocab_token(sampler->vocab, token, &bytes, &length, &flags) != GM_OK || bytes == NULL)
        return;
    for (size_t i = 0; i < length; i++) {
        if (sampler->is_escaped)
            sampler->is_escaped = false;
        else if (bytes[i] == '\\')
            sampler->is_escaped = true;
        else if (bytes[i] == '"')
            sampler->is_in_string = !sampler->is_in_string;
    }
}
