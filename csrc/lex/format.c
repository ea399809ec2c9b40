/*
 * lex/format.c - the formats by name, and those that are patterns.
 *
 * Most formats are grammars without recursion, so regular expressions: the rules below follow those of
 * their RFCs one by one, are put together and then read like any pattern of a schema, in Unicode
 * mode. What would be too large an expression is an automaton in C instead: format_time.c, format_idn.c. Regular
 * expressions as texts nest; see format_regex.c.
 *
 * A term is made when a store is first asked for it.
 */
#include "lex/format_private.h"
#include "lex/idna_tables.h"

#include <stdio.h>

/* ---- rules ---- */

/* A rule may use others, as <name>; none uses itself. Rules ucs and private are empty where only
 * ASCII is allowed. */
typedef struct rule {
    const char *name, *pattern;
} rule;

static const rule rules[] = {
    {"hex", "[0-9A-Fa-f]"},

    /* Addresses. ipv6: RFC 3986 section 3.2.2, by how many groups stand before the two colons. */
    {"octet", "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"},
    {"ipv4", "(?:<octet>\\.){3}<octet>"},
    {"h16", "<hex>{1,4}"},
    {"ls32", "(?:<h16>:<h16>|<ipv4>)"},
    {"ipv6", "(?:(?:<h16>:){6}<ls32>|::(?:<h16>:){5}<ls32>|(?:<h16>)?::(?:<h16>:){4}<ls32>"
             "|(?:(?:<h16>:){0,1}<h16>)?::(?:<h16>:){3}<ls32>|(?:(?:<h16>:){0,2}<h16>)?::(?:<h16>:){2}<ls32>"
             "|(?:(?:<h16>:){0,3}<h16>)?::<h16>:<ls32>|(?:(?:<h16>:){0,4}<h16>)?::<ls32>"
             "|(?:(?:<h16>:){0,5}<h16>)?::<h16>|(?:(?:<h16>:){0,6}<h16>)?::)"},

    /* Dates, by the Gregorian calendar. */
    {"leap-year", "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"},
    {"date", "(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
             "|02-(?:0[1-9]|1[0-9]|2[0-8]))|<leap-year>-02-29)"},

    /* RFC 3339 appendix A: a unit is followed by the next smaller one or by none. */
    {"from-minutes", "[0-9]+M(?:[0-9]+S)?"},
    {"from-hours", "[0-9]+H(?:<from-minutes>)?"},
    {"from-months", "[0-9]+M(?:[0-9]+D)?"},
    {"from-years", "[0-9]+Y(?:<from-months>)?"},
    {"time-part", "T(?:<from-hours>|<from-minutes>|[0-9]+S)"},
    {"duration", "P(?:(?:[0-9]+D|<from-months>|<from-years>)(?:<time-part>)?|<time-part>|[0-9]+W)"},

    /* RFC 1123: letters, digits and hyphens, 63 at most, no hyphen at either end; here also no label
     * that begins with xn--, in any case of letters. */
    {"ldh", "[A-Za-z0-9\\-]"},
    {"alnum", "[A-Za-z0-9]"},
    {"label", "(?:[A-WYZa-wyz0-9](?:<ldh>{0,61}<alnum>)?"
              "|[Xx](?:[A-MO-Za-mo-z0-9](?:<ldh>{0,60}<alnum>)?|-<ldh>{0,60}<alnum>"
              "|[Nn](?:<alnum>(?:<ldh>{0,59}<alnum>)?|-<alnum>(?:<ldh>{0,58}<alnum>)?)?)?)"},
    {"hostname", "<label>(?:\\.<label>)*"},

    /* RFC 5321 section 4.1.2, rule Mailbox, and 4.1.3 for literals, where :: stands for two groups at
     * least. RFC 6531 adds what is not ASCII; in labels these are the code points of RFC 5892 that need
     * no context. */
    {"snum", "(?:25[0-5]|2[0-4][0-9]|[01]?[0-9]{1,2})"},
    {"snum4", "(?:<snum>\\.){3}<snum>"},
    {"groups", "<h16>(?::<h16>)"}, /* a count follows: of the groups after the first */
    {"ipv6-literal", "(?:(?:<h16>:){7}<h16>|(?:<h16>:){6}<snum4>|::(?:<groups>{0,5})?|<h16>::(?:<groups>{0,4})?"
                     "|<groups>{1}::(?:<groups>{0,3})?|<groups>{2}::(?:<groups>{0,2})?|<groups>{3}::(?:<groups>?)?"
                     "|<groups>{4}::(?:<h16>)?|<groups>{5}::|::(?:<h16>:){0,4}<snum4>|<h16>::(?:<h16>:){0,3}<snum4>"
                     "|<groups>{1}::(?:<h16>:){0,2}<snum4>|<groups>{2}::(?:<h16>:)?<snum4>|<groups>{3}::<snum4>)"},
    {"literal", "\\[(?:<snum4>|[Ii][Pp][Vv]6:<ipv6-literal>)\\]"},
    {"atext", "[A-Za-z0-9!#$%&'*+\\-\\/=?^_`\\{\\|\\}~<non-ascii>]"},
    {"quoted", "\"(?:[ !#-\\[\\]-~<non-ascii>]|\\\\[ -~])*\""},
    {"mail-label", "[A-Za-z0-9<initials>](?:[A-Za-z0-9\\-<letters>]*[A-Za-z0-9<letters>])?"},
    {"mailbox", "(?:<atext>+(?:\\.<atext>+)*|<quoted>)@(?:<mail-label>(?:\\.<mail-label>)*|<literal>)"},

    /* RFC 3986, RFC 3987. <relative> differs from <hierarchy> by its first segment, which has no colon. */
    {"unreserved", "A-Za-z0-9._~\\-<ucs>"},
    {"delimiters", "!$&'()*+,;="},
    {"escaped", "%<hex>{2}"},
    {"pchar", "(?:[<unreserved><delimiters>:@]|<escaped>)"},
    {"segments", "(?:\\/<pchar>*)*"},
    {"userinfo", "(?:[<unreserved><delimiters>:]|<escaped>)*@"},
    {"ip-literal", "\\[(?:<ipv6>|[Vv]<hex>+\\.[A-Za-z0-9._~\\-<delimiters>:]+)\\]"},
    {"authority", "(?:<userinfo>)?(?:<ip-literal>|(?:[<unreserved><delimiters>]|<escaped>)*)(?::[0-9]*)?"},
    {"rooted", "\\/\\/<authority><segments>|\\/(?:<pchar>+<segments>)?"},
    {"hierarchy", "(?:<rooted>|<pchar>+<segments>)?"},
    {"relative", "(?:<rooted>|(?:[<unreserved><delimiters>@]|<escaped>)+<segments>)?"},
    {"query", "(?:\\?(?:[<unreserved><delimiters>:@\\/?<private>]|<escaped>)*)?"},
    {"fragment", "(?:#(?:[<unreserved><delimiters>:@\\/?]|<escaped>)*)?"},
    {"uri", "[A-Za-z][A-Za-z0-9+.\\-]*:<hierarchy><query><fragment>"},
    {"uri-reference", "(?:<uri>|<relative><query><fragment>)"},

    /* RFC 6570. The apostrophe is a literal by its errata. The operators that it reserves for later
     * extensions have no meaning yet, and are left out. */
    {"varchar", "(?:[A-Za-z0-9_]|<escaped>)"},
    {"varspec", "<varchar>(?:\\.?<varchar>)*(?:\\*|:[1-9][0-9]{0,3})?"},
    {"expression", "\\{[+#.\\/;?&]?<varspec>(?:,<varspec>)*\\}"},
    {"template", "(?:[!#$&-;=?-\\[\\]_a-z~<ucs><private>]|<escaped>|<expression>)*"},

    {"uuid", "<hex>{8}-(?:<hex>{4}-){3}<hex>{12}"},
    {"pointer", "(?:\\/(?:[^~\\/]|~[01])*)*"},
    {"relative-pointer", "(?:0|[1-9][0-9]*)(?:#|<pointer>)"},
};

/* The rules that differ where characters beyond ASCII are allowed. */
static const rule international_rules[] = {
    {"non-ascii", "\\u{80}-\\u{10FFFF}"},
    {"letters", NULL}, /* from the tables: see append_letters */
    {"initials", NULL}, /* of these, no marks */
    {"ucs", "\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}\\u{10000}-\\u{1FFFD}\\u{20000}-\\u{2FFFD}"
            "\\u{30000}-\\u{3FFFD}\\u{40000}-\\u{4FFFD}\\u{50000}-\\u{5FFFD}\\u{60000}-\\u{6FFFD}\\u{70000}-\\u{7FFFD}"
            "\\u{80000}-\\u{8FFFD}\\u{90000}-\\u{9FFFD}\\u{A0000}-\\u{AFFFD}\\u{B0000}-\\u{BFFFD}\\u{C0000}-\\u{CFFFD}"
            "\\u{D0000}-\\u{DFFFD}\\u{E1000}-\\u{EFFFD}"},
    {"private", "\\u{E000}-\\u{F8FF}\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}"},
};

/* ---- the table ---- */

typedef enum maker { BY_RULE, BY_RULE_BEYOND_ASCII, BY_REGEX, BY_DATE_TIME, BY_TIME, BY_IDN_HOSTNAME } maker;

typedef struct entry {
    gm_format format;
    maker made;
    const char *rule; /* BY_RULE: the texts, whole */
} entry;

#define EXACT(name) {name, false, NULL, 0, UINT64_MAX}
#define SUBSET(name, most, note) {name, true, "enforced as a subset: " note, 0, most}

static const entry entries[] = {
    {EXACT("date"), BY_RULE, "<date>"},
    {EXACT("time"), BY_TIME, NULL},
    {EXACT("date-time"), BY_DATE_TIME, NULL},
    {EXACT("duration"), BY_RULE, "<duration>"},
    {EXACT("email"), BY_RULE, "<mailbox>"},
    {EXACT("idn-email"), BY_RULE_BEYOND_ASCII, "<mailbox>"},
    {SUBSET("hostname", 253, "labels that begin with xn-- are not allowed"), BY_RULE, "<hostname>"},
    {SUBSET("idn-hostname", UINT64_MAX, "no labels that begin with xn--; the length of labels is estimated"),
     BY_IDN_HOSTNAME, NULL},
    {EXACT("ipv4"), BY_RULE, "<ipv4>"},
    {EXACT("ipv6"), BY_RULE, "<ipv6>"},
    {EXACT("uri"), BY_RULE, "<uri>"},
    {EXACT("uri-reference"), BY_RULE, "<uri-reference>"},
    {EXACT("iri"), BY_RULE_BEYOND_ASCII, "<uri>"},
    {EXACT("iri-reference"), BY_RULE_BEYOND_ASCII, "<uri-reference>"},
    {EXACT("uri-template"), BY_RULE_BEYOND_ASCII, "<template>"},
    {EXACT("uuid"), BY_RULE, "<uuid>"},
    {EXACT("json-pointer"), BY_RULE, "<pointer>"},
    {SUBSET("relative-json-pointer", UINT64_MAX, "index manipulation such as 0+1 is not allowed"), BY_RULE,
     "<relative-pointer>"},
    {SUBSET("regex", UINT64_MAX, "groups nest four deep, and no references to groups"), BY_REGEX, NULL},
};

const gm_format *gm_format_find(gm_bytes name)
{
    for (size_t i = 0; i < GM_COUNT_OF(entries); i++)
        if (gm_bytes_equal(gm_bytes_of(entries[i].format.name), name))
            return &entries[i].format;
    return NULL;
}

/* ---- expanding rules ---- */

enum { MOST_DEPTH = 16 };

typedef GM_ARRAY(char) letters;

static bool append(const gm_allocator *allocator, letters *to, const char *from, size_t length)
{
    if (!GM_ARRAY_RESERVE(allocator, to, length))
        return false;
    memcpy(to->items + to->count, from, length);
    to->count += length;
    return true;
}

static const rule *find_rule(const rule *list, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(list[i].name, name, length) == 0 && list[i].name[length] == '\0')
            return &list[i];
    return NULL;
}

/* Ranges of a class: what labels may hold beyond ASCII without a context. */
static bool append_letters(const gm_allocator *allocator, letters *to, bool with_marks)
{
    for (size_t i = 0; i < gm_idna_range_count;) {
        const uint32_t low = gm_idna_ranges[i].low;
        uint32_t next = low; /* one past the stretch */
        for (; i < gm_idna_range_count && (next == low || gm_idna_ranges[i].low == next); i++) {
            const uint32_t traits = gm_idna_traits[gm_idna_ranges[i].traits];
            if (low < 0x80 || (traits & 0xF) != GM_IDNA_PLAIN || (!with_marks && (traits & GM_IDNA_MARK) != 0))
                break;
            next = gm_idna_ranges[i].low + gm_idna_ranges[i].more + 1u;
        }
        i += next == low; /* nothing to say of this one */
        char range[32];
        const int length = snprintf(range, sizeof range, "\\u{%X}-\\u{%X}", (unsigned)low, (unsigned)next - 1);
        if (next > low && !append(allocator, to, range, (size_t)length))
            return false;
    }
    return true;
}

/* NULL: made by append_letters. */
static const char *pattern_of(const char *name, size_t length, bool international)
{
    const rule *found = find_rule(international_rules, GM_COUNT_OF(international_rules), name, length);
    if (found != NULL)
        return international ? found->pattern : "";
    found = find_rule(rules, GM_COUNT_OF(rules), name, length);
    GM_ASSERT(found != NULL);
    return found->pattern;
}

static bool expand(const gm_allocator *allocator, letters *to, const char *pattern, bool international)
{
    const char *stack[MOST_DEPTH]; /* where to go on behind each open rule */
    size_t depth = 0;
    for (const char *at = pattern;;) {
        const size_t plain = strcspn(at, "<");
        if (!append(allocator, to, at, plain))
            return false;
        at += plain;
        if (*at == '<') {
            const char *const name = at + 1;
            const size_t length = strcspn(name, ">");
            GM_ASSERT(depth < MOST_DEPTH);
            stack[depth++] = name + length + 1;
            at = pattern_of(name, length, international);
            if (at == NULL) {
                if (!append_letters(allocator, to, *name == 'l'))
                    return false;
                at = "";
            }
        } else if (depth > 0) {
            at = stack[--depth];
        } else {
            return true;
        }
    }
}

gm_status gm_format_pattern(gm_text *text, const char *pattern, bool international, gm_term *term, gm_error *error)
{
    letters whole = {0};
    gm_status status = GM_OUT_OF_MEMORY;
    if (append(&text->allocator, &whole, "^(?:", 4) && expand(&text->allocator, &whole, pattern, international) &&
        append(&text->allocator, &whole, ")$", 2))
        status = gm_text_pattern(text, (gm_bytes){whole.items, whole.count}, term, error);
    else
        gm_no_memory(error);
    GM_ARRAY_FREE(&text->allocator, &whole);
    return status;
}

/* ---- automata ---- */

gm_lengths gm_automaton_lengths(gm_lengths_calculator *calculator, gm_term_node node)
{
    if (node.a == GM_AUTOMATON_TIME)
        return gm_time_lengths(calculator, node);
    calculator->status = GM_LIMIT;
    return gm_lengths_of_bits(NULL, 0, 0);
}

bool gm_automaton_segments(gm_text *text, gm_term_node node)
{
    return node.a == GM_AUTOMATON_TIME ? gm_time_segments(text, node) : gm_idn_segments(text, node);
}

/* ---- making ---- */

static gm_status make_locked(gm_text *text, maker made, gm_term *term, gm_error *error)
{
    gm_lock_acquire(&text->lock);
    const gm_term result = made == BY_TIME        ? gm_term_time(text)
                           : made == BY_DATE_TIME ? gm_term_date_time(text)
                                                  : gm_term_idn_hostname(text);
    gm_lock_release(&text->lock);
    if (result == GM_TERM_FAILED)
        return gm_no_memory(error);
    *term = result;
    return GM_OK;
}

static gm_status make(gm_text *text, const entry *from, gm_term *term, gm_error *error)
{
    switch (from->made) {
    case BY_RULE:
    case BY_RULE_BEYOND_ASCII:
        return gm_format_pattern(text, from->rule, from->made == BY_RULE_BEYOND_ASCII, term, error);
    case BY_REGEX:
        return gm_format_regex(text, term, error);
    default:
        return make_locked(text, from->made, term, error);
    }
}

gm_status gm_text_format(gm_text *text, const gm_format *format, gm_term *term, gm_error *error)
{
    const entry *const from = (const entry *)(const void *)format; /* its first member */
    const size_t index = (size_t)(from - entries);
    GM_ASSERT(index < GM_COUNT_OF(entries) && GM_COUNT_OF(entries) <= GM_COUNT_OF(text->formats));
    gm_lock_acquire(&text->lock);
    gm_term made = text->formats[index];
    gm_lock_release(&text->lock);
    if (made == GM_TERM_NONE) {
        GM_TRY(make(text, from, &made, error));
        gm_lock_acquire(&text->lock);
        text->formats[index] = made; /* another thread may have been here: the same term */
        gm_lock_release(&text->lock);
    }
    *term = made;
    return GM_OK;
}
