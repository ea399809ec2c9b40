/*
 * lex/format_regex.c - regular expressions as texts.
 *
 * The grammar of ECMA-262 patterns is not regular: groups nest, references need their groups, the
 * bounds of repeats and of classes are ordered. This is a subset of the patterns that are valid in
 * Unicode mode:
 *
 *   - groups nest DEPTH deep, look-around included, and a look-around stands outside of groups;
 *   - at most one group has a name, and stands outside of others; no references to groups;
 *   - a repeat {n,m} has n of one or two digits and m of three at most;
 *   - in a class a range runs from letter to letter of one case or from digit to digit, and a bare
 *     hyphen stands first or last;
 *   - \p{...} only with general categories.
 *
 * Terms are built from the innermost level outwards, each level from the one below, so their size
 * grows with the depth and not by a power of it. There are no intersections, so no state is dead.
 */
#include "lex/format_private.h"

enum { DEPTH = 4 };

#define HEX "[0-9A-Fa-f]"
#define CATEGORY "(?:C[cfnos]?|L[Clmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)"

/* Alternatives of what stands behind a backslash, inside a class and outside. */
#define ESCAPES                                                                                                        \
    "[dDsSwWfnrtv]|c[A-Za-z]|x" HEX "{2}|u" HEX "{4}|u\\{0*(?:" HEX "{1,5}|10" HEX "{4})\\}"                            \
    "|[\\^$\\\\.*+?()\\[\\]\\{\\}\\|\\/]|[pP]\\{" CATEGORY "\\}"

/* Ascending pairs: all alternatives are written out. */
#define DIGIT_RANGE "0-[0-9]|1-[1-9]|2-[2-9]|3-[3-9]|4-[4-9]|5-[5-9]|6-[6-9]|7-[7-9]|8-[89]|9-9"
#define SMALL_RANGE                                                                                                    \
    "a-[a-z]|b-[b-z]|c-[c-z]|d-[d-z]|e-[e-z]|f-[f-z]|g-[g-z]|h-[h-z]|i-[i-z]|j-[j-z]|k-[k-z]|l-[l-z]|m-[m-z]"           \
    "|n-[n-z]|o-[o-z]|p-[p-z]|q-[q-z]|r-[r-z]|s-[s-z]|t-[t-z]|u-[u-z]|v-[v-z]|w-[w-z]|x-[x-z]|y-[yz]|z-z"
#define CAPITAL_RANGE                                                                                                  \
    "A-[A-Z]|B-[B-Z]|C-[C-Z]|D-[D-Z]|E-[E-Z]|F-[F-Z]|G-[G-Z]|H-[H-Z]|I-[I-Z]|J-[J-Z]|K-[K-Z]|L-[L-Z]|M-[M-Z]"           \
    "|N-[N-Z]|O-[O-Z]|P-[P-Z]|Q-[Q-Z]|R-[R-Z]|S-[S-Z]|T-[T-Z]|U-[U-Z]|V-[V-Z]|W-[W-Z]|X-[X-Z]|Y-[YZ]|Z-Z"
#define DIGIT_PAIR "0,[0-9]|1,[1-9]|2,[2-9]|3,[3-9]|4,[4-9]|5,[5-9]|6,[6-9]|7,[7-9]|8,[89]|9,9"
/* Of two digits each, by the first ones: equal, or ascending. */
#define SAME_TENS(tens)                                                                                                \
    tens "(?:0," tens "[0-9]|1," tens "[1-9]|2," tens "[2-9]|3," tens "[3-9]|4," tens "[4-9]|5," tens "[5-9]|6," tens   \
         "[6-9]|7," tens "[7-9]|8," tens "[89]|9," tens "9)"
#define LOW_TENS SAME_TENS("1") "|" SAME_TENS("2") "|" SAME_TENS("3") "|" SAME_TENS("4") "|" SAME_TENS("5")
#define HIGH_TENS SAME_TENS("6") "|" SAME_TENS("7") "|" SAME_TENS("8") "|" SAME_TENS("9")
#define OTHER_TENS                                                                                                     \
    "1[0-9],[2-9][0-9]|2[0-9],[3-9][0-9]|3[0-9],[4-9][0-9]|4[0-9],[5-9][0-9]|5[0-9],[6-9][0-9]|6[0-9],[7-9][0-9]"       \
    "|7[0-9],[89][0-9]|8[0-9],9[0-9]"

typedef enum piece {
    CHARACTER, /* that stands for itself, and the escapes */
    CLASS_OPEN,
    CLASS_ITEM,
    CLASS_RANGE_SMALL,
    CLASS_RANGE_CAPITAL,
    CLASS_CLOSE,
    ASSERTION,
    QUANTIFIER_END, /* lazy or not */
    QUANTIFIER,
    QUANTIFIER_LOW_TENS,
    QUANTIFIER_HIGH_TENS,
    GROUP_OPEN,
    GROUP_NAME,
    LOOK_OPEN,
    CLOSE,
    BAR,
    PIECE_COUNT
} piece;

/* A NUL escape is an item of its own, as no digit may follow it: left out. */
static const char *const sources[PIECE_COUNT] = {
    [CHARACTER] = "[^\\^$\\\\*+?()\\[\\]\\{\\}\\|]|\\\\(?:" ESCAPES ")",
    [CLASS_OPEN] = "\\[\\^?-?",
    [CLASS_ITEM] = "[^\\\\\\]\\-]|\\\\(?:" ESCAPES "|[b\\-])|" DIGIT_RANGE,
    [CLASS_RANGE_SMALL] = SMALL_RANGE,
    [CLASS_RANGE_CAPITAL] = CAPITAL_RANGE,
    [CLASS_CLOSE] = "-?\\]",
    [ASSERTION] = "[\\^$]|\\\\[bB]",
    [QUANTIFIER_END] = "\\??",
    [QUANTIFIER] = "[*+?]|\\{(?:[0-9]+,?|" DIGIT_PAIR "|[0-9],[1-9][0-9]{1,2}|[1-9][0-9],[1-9][0-9]{2}|" OTHER_TENS ")\\}",
    [QUANTIFIER_LOW_TENS] = "\\{(?:" LOW_TENS ")\\}",
    [QUANTIFIER_HIGH_TENS] = "\\{(?:" HIGH_TENS ")\\}",
    [GROUP_OPEN] = "\\((?:\\?:)?",
    [GROUP_NAME] = "\\(\\?\\u{3C}[A-Za-z_$][A-Za-z0-9_$]*>",
    [LOOK_OPEN] = "\\(\\?\\u{3C}?[=!]",
    [CLOSE] = "\\)",
    [BAR] = "\\|",
};

/* ---- putting together ---- */

static gm_term any_number(gm_text *text, gm_term term) { return gm_term_repeat(text, term, 0, GM_REPEAT_UNBOUNDED); }

static gm_term class_term(gm_text *text, const gm_term *pieces)
{
    const gm_term kinds[3] = {pieces[CLASS_ITEM], pieces[CLASS_RANGE_SMALL], pieces[CLASS_RANGE_CAPITAL]};
    const gm_term items = any_number(text, gm_term_union(text, kinds, 3));
    return gm_term_concat(text, pieces[CLASS_OPEN], gm_term_concat(text, items, pieces[CLASS_CLOSE]));
}

static gm_term quantifier_term(gm_text *text, const gm_term *pieces)
{
    const gm_term kinds[3] = {pieces[QUANTIFIER], pieces[QUANTIFIER_LOW_TENS], pieces[QUANTIFIER_HIGH_TENS]};
    const gm_term one = gm_term_concat(text, gm_term_union(text, kinds, 3), pieces[QUANTIFIER_END]);
    return gm_term_either(text, GM_TERM_EMPTY, one);
}

static gm_term enclosed(gm_text *text, gm_term open, gm_term inner, gm_term close)
{
    return gm_term_concat(text, open, gm_term_concat(text, inner, close));
}

/* first (| first)* where an alternative is any number of items. */
static gm_term disjunction(gm_text *text, gm_term item, gm_term bar)
{
    return any_number(text, gm_term_either(text, item, bar));
}

/* The whole grammar, from pieces that are terms. */
static gm_term put_together(gm_text *text, const gm_term *pieces)
{
    const gm_term quantifier = quantifier_term(text, pieces);
    const gm_term atom = gm_term_either(text, pieces[CHARACTER], class_term(text, pieces));
    const gm_term flat = gm_term_either(text, gm_term_concat(text, atom, quantifier), pieces[ASSERTION]);
    const gm_term group_end = gm_term_concat(text, pieces[CLOSE], quantifier);
    gm_term item = flat, inner = GM_TERM_NONE;
    for (int depth = 0; depth < DEPTH; depth++) {
        inner = disjunction(text, item, pieces[BAR]);
        item = gm_term_either(text, flat, enclosed(text, pieces[GROUP_OPEN], inner, group_end));
    }
    item = gm_term_either(text, item, enclosed(text, pieces[LOOK_OPEN], inner, pieces[CLOSE]));
    const gm_term outside = disjunction(text, item, pieces[BAR]);
    const gm_term named = enclosed(text, pieces[GROUP_NAME], inner, group_end);
    return gm_term_concat(text, outside,
                          gm_term_either(text, GM_TERM_EMPTY, gm_term_concat(text, named, outside)));
}

gm_status gm_format_regex(gm_text *text, gm_term *term, gm_error *error)
{
    gm_term pieces[PIECE_COUNT];
    for (int i = 0; i < PIECE_COUNT; i++)
        GM_TRY(gm_format_pattern(text, sources[i], false, &pieces[i], error));
    gm_lock_acquire(&text->lock);
    const gm_term made = put_together(text, pieces);
    gm_lock_release(&text->lock);
    if (made == GM_TERM_FAILED)
        return gm_no_memory(error);
    *term = made;
    return GM_OK;
}
