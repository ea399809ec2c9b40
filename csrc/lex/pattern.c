/*
 * lex/pattern.c - from the text of an ECMA-262 regular expression to the term of the texts it is found in.
 *
 * Reading and translating are one pass with a stack of open groups. A pattern is read with the u flag
 * first; if that is a syntax error, once more by the rules of Annex B, which accept nearly everything:
 * the two dialects disagree on escapes, braces and brackets, and a pattern that both accept means
 * what the first says. Greedy or lazy makes no difference to what is matched, nor does capturing.
 */
#include "lex/pattern.h"

#include "base/utf8.h"

/* ---- failures ---- */

bool gm_pattern_fail(gm_pattern *pattern, size_t offset, const char *message)
{
    if (pattern->status == GM_OK) {
        pattern->status = GM_INVALID_SCHEMA;
        pattern->offset = offset;
        pattern->message = message;
    }
    return false;
}

bool gm_pattern_no_memory(gm_pattern *pattern)
{
    pattern->status = GM_OUT_OF_MEMORY;
    return false;
}

static bool over_limit(gm_pattern *pattern, const char *message)
{
    gm_pattern_fail(pattern, pattern->at, message);
    pattern->status = GM_LIMIT;
    return false;
}

void gm_pattern_unsupported(gm_pattern *pattern, size_t offset, const char *what)
{
    if (pattern->unsupported == NULL) {
        pattern->unsupported = what;
        pattern->unsupported_offset = offset;
    }
}

bool gm_pattern_read(gm_pattern *pattern, uint32_t *code_point)
{
    *code_point = gm_utf8_read(pattern->source.data, pattern->source.length, &pattern->at);
    return *code_point != UINT32_MAX || gm_pattern_fail(pattern, pattern->at, "ill-formed UTF-8");
}

/* ---- the stack ---- */

static bool push_piece(gm_pattern *pattern, gm_piece piece)
{
    if (++pattern->positions > pattern->text->limits.max_positions)
        return over_limit(pattern, "the pattern has too many positions: raise max_regex_positions");
    for (unsigned place = 0; place < 4; place++)
        if (piece.language[place] == GM_TERM_FAILED)
            return gm_pattern_no_memory(pattern);
    return GM_ARRAY_PUSH(&pattern->text->allocator, &pattern->pieces, piece) || gm_pattern_no_memory(pattern);
}

static bool push_set(gm_pattern *pattern)
{
    gm_charsets *sets = &pattern->text->sets;
    const gm_charset set = gm_charset_intern(sets, pattern->ranges.items, pattern->ranges.count);
    return push_piece(pattern, gm_piece_plain(gm_term_set(pattern->text, set)));
}

static bool push_character(gm_pattern *pattern, uint32_t code_point)
{
    return push_piece(pattern, gm_piece_plain(gm_term_of_code_point(pattern->text, code_point)));
}

static bool open_group(gm_pattern *pattern, gm_group_kind kind, size_t offset)
{
    if (pattern->groups.count > pattern->text->limits.max_nesting)
        return over_limit(pattern, "the pattern's groups are nested too deep: raise max_nesting");
    const gm_group group = {
        .kind = kind, .base = pattern->pieces.count, .number = pattern->group_count++, .offset = offset};
    return GM_ARRAY_PUSH(&pattern->text->allocator, &pattern->groups, group) || gm_pattern_no_memory(pattern);
}

/* Makes one piece of the items of the current alternative. */
static bool end_alternative(gm_pattern *pattern)
{
    gm_group *group = &pattern->groups.items[pattern->groups.count - 1];
    const size_t first = group->base + group->alternatives;
    gm_piece whole = gm_piece_plain(GM_TERM_EMPTY);
    while (pattern->pieces.count > first)
        whole = gm_piece_concat(pattern->text, pattern->pieces.items[--pattern->pieces.count], whole);
    group->alternatives++;
    return push_piece(pattern, whole);
}

/* Replaces all of the innermost group by one piece, and the group by what it was inside of. */
static bool close_group(gm_pattern *pattern, gm_group *closed)
{
    if (!end_alternative(pattern))
        return false;
    const gm_group group = pattern->groups.items[--pattern->groups.count];
    const gm_piece whole = gm_piece_union(pattern->text, &pattern->pieces.items[group.base], group.alternatives);
    pattern->pieces.count = group.base;
    *closed = group;
    return push_piece(pattern, whole);
}

/* ---- quantifiers ---- */

static bool is_digit(int byte) { return byte >= '0' && byte <= '9'; }

/* Numbers beyond 32 bits mean what the largest of them means: no text is so long. */
static uint32_t read_number(const gm_pattern *pattern, size_t *ahead)
{
    uint64_t value = 0;
    for (int byte; is_digit(byte = gm_pattern_peek(pattern, *ahead)); ++*ahead)
        value = value > UINT32_MAX ? value : value * 10 + (uint64_t)(byte - '0');
    return value < GM_REPEAT_UNBOUNDED ? (uint32_t)value : GM_REPEAT_UNBOUNDED;
}

/* The length of {n}, {n,} or {n,m} at pattern->at, or 0. */
static size_t braces_at(const gm_pattern *pattern, uint32_t *low, uint32_t *high)
{
    size_t ahead = 1;
    if (gm_pattern_peek(pattern, 0) != '{' || !is_digit(gm_pattern_peek(pattern, 1)))
        return 0;
    *low = *high = read_number(pattern, &ahead);
    if (gm_pattern_peek(pattern, ahead) == ',') {
        ahead++;
        *high = is_digit(gm_pattern_peek(pattern, ahead)) ? read_number(pattern, &ahead) : GM_REPEAT_UNBOUNDED;
    }
    return gm_pattern_peek(pattern, ahead) == '}' ? ahead + 1 : 0;
}

/* Reads a quantifier if there is one. */
static bool read_quantifier(gm_pattern *pattern, bool *found, uint32_t *low, uint32_t *high)
{
    const size_t offset = pattern->at;
    size_t length = 1;
    *found = true;
    switch (gm_pattern_peek(pattern, 0)) {
    case '*':
        *low = 0, *high = GM_REPEAT_UNBOUNDED;
        break;
    case '+':
        *low = 1, *high = GM_REPEAT_UNBOUNDED;
        break;
    case '?':
        *low = 0, *high = 1;
        break;
    default:
        length = braces_at(pattern, low, high);
        *found = length != 0;
        break;
    }
    if (!*found)
        return true;
    pattern->at += length;
    gm_pattern_skip(pattern, '?'); /* lazy */
    return *low <= *high || gm_pattern_fail(pattern, offset, "the numbers of a quantifier are out of order");
}

/* Applies a quantifier, if one follows, to the piece on top. */
static bool quantify(gm_pattern *pattern)
{
    bool found;
    uint32_t low, high;
    const size_t offset = pattern->at;
    if (!read_quantifier(pattern, &found, &low, &high))
        return false;
    if (!found)
        return true;
    if (low == GM_REPEAT_UNBOUNDED)
        low--; /* more than any text has: see read_number */
    const gm_piece body = pattern->pieces.items[--pattern->pieces.count];
    if (!pattern->assertions)
        return push_piece(pattern, gm_piece_repeat(pattern->text, body, low, high));
    gm_term repeated = GM_TERM_EMPTY;
    switch (gm_term_repeat_open(pattern->text, body.language[0], low, high, &repeated)) {
    case GM_OK:
        break;
    case GM_LIMIT:
        return over_limit(pattern, "a repeated group has too many positions: raise max_regex_positions");
    case GM_UNSUPPORTED:
        gm_pattern_unsupported(pattern, offset, "a repeated group with assertions that may read nothing");
        repeated = GM_TERM_EMPTY;
        break;
    default:
        return gm_pattern_no_memory(pattern);
    }
    return push_piece(pattern, gm_piece_plain(repeated));
}

/* ---- groups ---- */

/* (?ims-ims: of newer editions; pattern->at is behind the question mark. */
static bool read_modifiers(gm_pattern *pattern, size_t offset)
{
    bool seen[128] = {false}, minus = false;
    size_t letters = 0;
    for (;; pattern->at++) {
        const int byte = gm_pattern_peek(pattern, 0);
        if (byte == ':')
            break;
        const bool is_letter = byte == 'i' || byte == 'm' || byte == 's';
        if ((!is_letter && byte != '-') || seen[byte])
            return gm_pattern_fail(pattern, offset, "an unknown kind of group");
        seen[byte] = true;
        minus |= byte == '-';
        letters += is_letter;
    }
    if (minus && letters == 0)
        return gm_pattern_fail(pattern, offset, "an unknown kind of group");
    pattern->at++;
    gm_pattern_unsupported(pattern, offset, "modifiers of groups are not supported");
    return true;
}

static bool open_named_group(gm_pattern *pattern, size_t offset)
{
    return gm_pattern_name(pattern) && gm_pattern_keep_name(pattern, offset, false) &&
           open_group(pattern, GM_GROUP_PLAIN, offset);
}

/* pattern->at is behind a parenthesis. */
static bool read_group_start(gm_pattern *pattern)
{
    const size_t offset = pattern->at - 1;
    if (!gm_pattern_skip(pattern, '?'))
        return open_group(pattern, GM_GROUP_PLAIN, offset);
    if (gm_pattern_skip(pattern, ':'))
        return open_group(pattern, GM_GROUP_PLAIN, offset);
    if (gm_pattern_skip(pattern, '='))
        return open_group(pattern, GM_GROUP_AHEAD, offset);
    if (gm_pattern_skip(pattern, '!'))
        return open_group(pattern, GM_GROUP_NOT_AHEAD, offset);
    if (!gm_pattern_skip(pattern, '<'))
        return read_modifiers(pattern, offset) && open_group(pattern, GM_GROUP_PLAIN, offset);
    if (gm_pattern_skip(pattern, '='))
        return open_group(pattern, GM_GROUP_BEHIND, offset);
    if (gm_pattern_skip(pattern, '!'))
        return open_group(pattern, GM_GROUP_NOT_BEHIND, offset);
    return open_named_group(pattern, offset);
}

/* Ends this reading: the pattern is to be read once more, with assertions. False. */
static bool found_assertion(gm_pattern *pattern)
{
    pattern->has_assertions = true;
    return false;
}

/* Replaces the piece on top, what a look-around looks for, by the assertion. */
static bool make_assertion(gm_pattern *pattern, gm_group group)
{
    static const gm_past nothing = {.at_start = true};
    gm_text *text = pattern->text;
    const gm_term inner = pattern->pieces.items[--pattern->pieces.count].language[0];
    const bool negated = group.kind == GM_GROUP_NOT_AHEAD || group.kind == GM_GROUP_NOT_BEHIND;
    if (group.kind == GM_GROUP_AHEAD || group.kind == GM_GROUP_NOT_AHEAD) {
        const gm_term texts = gm_term_concat(text, inner, GM_TERM_ANY);
        return push_piece(pattern, gm_piece_plain(gm_term_ahead(text, texts, negated)));
    }
    bool looks_ahead;
    if (!gm_term_looks_ahead(text, inner, &looks_ahead))
        return gm_pattern_no_memory(pattern);
    if (looks_ahead) {
        gm_pattern_unsupported(pattern, group.offset, "a look-behind that looks ahead");
        return push_piece(pattern, gm_piece_plain(GM_TERM_EMPTY));
    }
    const gm_term texts = gm_term_close(text, gm_term_concat(text, GM_TERM_ANY, inner), &nothing);
    return push_piece(pattern, gm_piece_plain(gm_term_behind(text, texts, negated)));
}

/* \b: a word character on one side and none on the other; \B: on both or on neither. */
static bool make_word_boundary(gm_pattern *pattern, bool negated)
{
    gm_text *text = pattern->text;
    if (!gm_pattern_word_characters(pattern))
        return false;
    const gm_term word =
        gm_term_set(text, gm_charset_intern(&text->sets, pattern->ranges.items, pattern->ranges.count));
    const gm_term before = gm_term_concat(text, GM_TERM_ANY, word), after = gm_term_concat(text, word, GM_TERM_ANY);
    const gm_term follows = gm_term_ahead(text, after, negated), ceases = gm_term_ahead(text, after, !negated);
    const gm_term begins = gm_term_concat(text, gm_term_behind(text, before, true), follows);
    const gm_term ends = gm_term_concat(text, gm_term_behind(text, before, false), ceases);
    return push_piece(pattern, gm_piece_plain(gm_term_either(text, ends, begins)));
}

static bool quantifier_follows(const gm_pattern *pattern)
{
    uint32_t low, high;
    const int byte = gm_pattern_peek(pattern, 0);
    return byte == '*' || byte == '+' || byte == '?' || braces_at(pattern, &low, &high) != 0;
}

static bool read_group_end(gm_pattern *pattern)
{
    if (pattern->groups.count == 1)
        return gm_pattern_fail(pattern, pattern->at - 1, "a closing parenthesis without an opening one");
    gm_group group = pattern->groups.items[pattern->groups.count - 1];
    if (group.kind == GM_GROUP_PLAIN && group.alternatives == 0 && !quantifier_follows(pattern)) {
        pattern->groups.count--; /* its items join those around it: nested groups are not rebuilt level by level */
        return true;
    }
    if (!close_group(pattern, &group))
        return false;
    if (group.kind == GM_GROUP_PLAIN)
        return quantify(pattern);
    if (!pattern->assertions)
        return found_assertion(pattern);
    if (!make_assertion(pattern, group))
        return false;
    const bool is_behind = group.kind == GM_GROUP_BEHIND || group.kind == GM_GROUP_NOT_BEHIND;
    return pattern->unicode || is_behind || quantify(pattern);
}

/* ---- atoms ---- */

static bool read_dot(gm_pattern *pattern)
{
    static const gm_range others[] = {{0, 0x9}, {0xB, 0xC}, {0xE, 0x2027}, {0x202A, GM_MAX_CODE_POINT}};
    const gm_allocator *allocator = &pattern->text->allocator;
    pattern->ranges.count = 0;
    for (size_t i = 0; i < GM_COUNT_OF(others); i++)
        if (!gm_ranges_add(allocator, &pattern->ranges, others[i].low, others[i].high))
            return gm_pattern_no_memory(pattern);
    if (!gm_ranges_normalize(allocator, &pattern->ranges))
        return gm_pattern_no_memory(pattern);
    return push_set(pattern) && quantify(pattern);
}

/* pattern->at is behind a backslash. */
static bool read_escape(gm_pattern *pattern)
{
    const int byte = gm_pattern_peek(pattern, 0);
    if (byte == 'b' || byte == 'B') {
        pattern->at++;
        return pattern->assertions ? make_word_boundary(pattern, byte == 'B') : found_assertion(pattern);
    }
    uint32_t code_point;
    pattern->ranges.count = 0;
    switch (gm_pattern_escape(pattern, false, &code_point)) {
    case GM_ESCAPE_FAILED:
        return false;
    case GM_ESCAPE_CHARACTER:
        return push_character(pattern, code_point) && quantify(pattern);
    case GM_ESCAPE_SET:
        return gm_ranges_normalize(&pattern->text->allocator, &pattern->ranges)
                   ? push_set(pattern) && quantify(pattern)
                   : gm_pattern_no_memory(pattern);
    case GM_ESCAPE_REFERENCE:
        break;
    }
    return push_piece(pattern, gm_piece_plain(GM_TERM_EMPTY)) && quantify(pattern);
}

/* A brace or closing bracket by itself: Annex B takes it for a character, unless it is a quantifier. */
static bool read_lone_bracket(gm_pattern *pattern)
{
    uint32_t low, high;
    if (braces_at(pattern, &low, &high) != 0)
        return gm_pattern_fail(pattern, pattern->at, "nothing to repeat");
    if (pattern->unicode)
        return gm_pattern_fail(pattern, pattern->at, "a lone bracket");
    const unsigned char bracket = (unsigned char)pattern->source.data[pattern->at++];
    return push_character(pattern, bracket) && quantify(pattern);
}

static bool push_anchor(gm_pattern *pattern, bool is_start)
{
    if (!pattern->assertions)
        return push_piece(pattern, is_start ? gm_piece_start() : gm_piece_end());
    return push_piece(pattern, gm_piece_plain(is_start ? gm_term_start(pattern->text) : gm_term_end(pattern->text)));
}

static bool read_term(gm_pattern *pattern)
{
    const int byte = gm_pattern_peek(pattern, 0);
    if (byte >= 128) {
        uint32_t code_point;
        return gm_pattern_read(pattern, &code_point) && push_character(pattern, code_point) && quantify(pattern);
    }
    if (byte == '{' || byte == '}' || byte == ']')
        return read_lone_bracket(pattern);
    pattern->at++;
    switch (byte) {
    case '|':
        return end_alternative(pattern);
    case '(':
        return read_group_start(pattern);
    case ')':
        return read_group_end(pattern);
    case '^':
    case '$':
        return push_anchor(pattern, byte == '^');
    case '.':
        return read_dot(pattern);
    case '[':
        return gm_pattern_class(pattern) && push_set(pattern) && quantify(pattern);
    case '\\':
        return read_escape(pattern);
    case '*':
    case '+':
    case '?':
        return gm_pattern_fail(pattern, pattern->at - 1, "nothing to repeat");
    default:
        return push_character(pattern, (uint32_t)byte) && quantify(pattern);
    }
}

/* ---- the whole ---- */

static void skip_class(const gm_bytes source, size_t *at)
{
    for (; *at < source.length && source.data[*at] != ']'; ++*at)
        if (source.data[*at] == '\\')
            ++*at;
}

/* How many groups capture, and whether one has a name: what \1 and \k mean depends on what follows. */
static void count_captures(gm_pattern *pattern)
{
    const gm_bytes source = pattern->source;
    for (size_t at = 0; at < source.length; at++) {
        if (source.data[at] == '\\') {
            at++;
        } else if (source.data[at] == '[') {
            at++;
            skip_class(source, &at);
        } else if (source.data[at] == '(') {
            const bool special = at + 1 < source.length && source.data[at + 1] == '?';
            const bool named = special && at + 3 < source.length && source.data[at + 2] == '<' &&
                               source.data[at + 3] != '=' && source.data[at + 3] != '!';
            pattern->named_groups |= named;
            pattern->capture_count += !special || named;
        }
    }
}

static bool read_all(gm_pattern *pattern, gm_term *term)
{
    count_captures(pattern);
    if (!open_group(pattern, GM_GROUP_ROOT, 0))
        return false;
    while (pattern->at < pattern->source.length)
        if (!read_term(pattern))
            return false;
    gm_group root = pattern->groups.items[pattern->groups.count - 1];
    if (root.kind != GM_GROUP_ROOT)
        return gm_pattern_fail(pattern, root.offset, "a group without an end");
    if (!gm_pattern_check_references(pattern) || !close_group(pattern, &root))
        return false;
    static const gm_past nothing = {.at_start = true};
    const gm_term found = gm_piece_search(pattern->text, pattern->pieces.items[0]);
    *term = pattern->assertions ? gm_term_close(pattern->text, found, &nothing) : found;
    return *term != GM_TERM_FAILED || gm_pattern_no_memory(pattern);
}

static void pattern_end(gm_pattern *pattern)
{
    const gm_allocator *allocator = &pattern->text->allocator;
    GM_ARRAY_FREE(allocator, &pattern->pieces);
    GM_ARRAY_FREE(allocator, &pattern->groups);
    GM_ARRAY_FREE(allocator, &pattern->ranges);
    GM_ARRAY_FREE(allocator, &pattern->other);
    GM_ARRAY_FREE(allocator, &pattern->name);
    GM_ARRAY_FREE(allocator, &pattern->letters);
    GM_ARRAY_FREE(allocator, &pattern->names);
    GM_ARRAY_FREE(allocator, &pattern->references);
    GM_ARRAY_FREE(allocator, &pattern->paths);
    gm_table_destroy(&pattern->name_table);
}

static gm_status read_dialect(gm_text *text, gm_bytes source, bool unicode, gm_term *term, gm_error *error)
{
    gm_pattern pattern;
    gm_term made = GM_TERM_NONE;
    bool valid, assertions = false;
    for (;;) {
        pattern = (gm_pattern){.text = text, .source = source, .unicode = unicode, .assertions = assertions};
        gm_table_init(&pattern.name_table, &text->allocator);
        valid = read_all(&pattern, &made);
        pattern_end(&pattern);
        if (!pattern.has_assertions)
            break;
        assertions = true;
    }
    if (!valid && pattern.status == GM_OUT_OF_MEMORY)
        return gm_no_memory(error);
    if (!valid)
        return gm_fail_at(error, pattern.status, pattern.offset, "at byte %llu of the pattern: %s",
                          (unsigned long long)pattern.offset, pattern.message);
    if (pattern.unsupported != NULL)
        return gm_fail_at(error, GM_UNSUPPORTED, pattern.unsupported_offset, "at byte %llu of the pattern: %s",
                          (unsigned long long)pattern.unsupported_offset, pattern.unsupported);
    GM_TRY(gm_term_settle(text, made, error));
    *term = gm_term_liveness(text, made) == GM_BARREN ? (gm_term)GM_TERM_NONE : made;
    return GM_OK;
}

gm_status gm_text_pattern(gm_text *text, gm_bytes source, gm_term *term, gm_error *error)
{
    gm_lock_acquire(&text->lock);
    gm_status status = read_dialect(text, source, true, term, error);
    if (status == GM_INVALID_SCHEMA)
        status = read_dialect(text, source, false, term, error);
    gm_lock_release(&text->lock);
    return status;
}
