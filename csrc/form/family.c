/*
 * form/family.c - see family.h.
 *
 * The distinct patterns of a thread cut the set of all names into families: each is an intersection
 * of patterns and complements, settled, so that every prefix of one is a prefix of a name in it. One
 * pattern after the other cuts what is there, and what is empty is dropped at once, so the work is that
 * of the classes that exist: anchored patterns that exclude each other cost one class each.
 * Families that are asked the same are joined, those that are asked the impossible dropped; what is
 * left are disjoint languages. A family of few names is listed name by name, since its names run out.
 */
#include "form/family.h"

#include "base/utf8.h"

#include <stdio.h>

enum { MAX_CLASSES = 4096, FEW_NAMES = 64 };

static gm_status blame(gm_forming *forming, gm_keyword keyword, gm_status status)
{
    if (status == GM_OK || status == GM_OUT_OF_MEMORY || forming->error == NULL)
        return status;
    const gm_error inner = *forming->error;
    return gm_schema_fail(forming->schema, forming->blame, keyword, status, forming->error, "%s", inner.message);
}

/* Strings whose length is within the bounds. */
static gm_status length_term(gm_forming *forming, uint64_t least, uint64_t most, gm_term *term)
{
    char pattern[64];
    int length;
    if (most == GM_UNBOUNDED)
        length = snprintf(pattern, sizeof pattern, "^[^]{%llu,}$", (unsigned long long)least);
    else
        length =
            snprintf(pattern, sizeof pattern, "^[^]{%llu,%llu}$", (unsigned long long)least, (unsigned long long)most);
    return gm_text_pattern(forming->stores.text, (gm_bytes){pattern, (size_t)length}, term, forming->error);
}

/* Whether an expression of strings rests on a set known only in part. */
static bool has_subset(const gm_forming *forming, gm_expression expression)
{
    const gm_expression_node *node = &forming->expressions.items[expression];
    bool found = node->is_subset;
    if (node->kind == GM_EXPRESSION_AND || node->kind == GM_EXPRESSION_OR || node->kind == GM_EXPRESSION_ONE ||
        node->kind == GM_EXPRESSION_NOT_ONE)
        for (uint32_t i = 0; i < node->count && !found; i++)
            found = has_subset(forming, node->as.operands[i]);
    return found;
}

/* The strings that a formula allows, as one term. */
static gm_status strings_of(gm_forming *forming, gm_formula formula, gm_term *term)
{
    gm_typed typed;
    gm_text_thread *threads;
    uint32_t count;
    GM_TRY(gm_form_expand(forming, formula, &typed));
    GM_TRY(gm_form_text_threads(forming, typed.of[GM_TYPE_STRING], &threads, &count));
    *term = GM_TERM_NONE;
    for (uint32_t i = 0; i < count; i++) {
        gm_term one = threads[i].term, length;
        if (threads[i].least != 0 || threads[i].most != GM_UNBOUNDED) {
            GM_TRY(
                blame(forming, GM_KW_PROPERTY_NAMES, length_term(forming, threads[i].least, threads[i].most, &length)));
            GM_TRY(blame(forming, GM_KW_PROPERTY_NAMES,
                         gm_text_and(forming->stores.text, one, length, &one, forming->error)));
        }
        GM_TRY(
            blame(forming, GM_KW_PROPERTY_NAMES, gm_text_or(forming->stores.text, *term, one, term, forming->error)));
    }
    return GM_OK;
}

/* "All names are among the strings of a formula", as a map that asks the impossible of others. */
static gm_status map_of_names(gm_forming *forming, gm_formula names, gm_expression_node *map)
{
    gm_pattern_member *allowed = GM_ARENA_NEW(forming->scratch, gm_pattern_member, 1);
    gm_typed typed;
    if (allowed == NULL)
        return gm_no_memory(forming->error);
    GM_TRY(gm_form_expand(forming, names, &typed));
    if (has_subset(forming, typed.of[GM_TYPE_STRING]))
        return gm_schema_fail(forming->schema, forming->blame, GM_KW_PROPERTY_NAMES, GM_UNSUPPORTED, forming->error,
                              "the complement of names by a format of which only a part is known");
    allowed->formula = GM_FORMULA_TRUE;
    GM_TRY(strings_of(forming, names, &allowed->pattern));
    *map = (gm_expression_node){.kind = GM_ATOM_SOME};
    map->as.members.patterns = allowed;
    map->as.members.pattern_count = 1;
    map->as.members.names = GM_FORMULA_TRUE;
    return GM_OK;
}

gm_status gm_naming_of(gm_forming *forming, const gm_conjunct *conjunct, gm_naming *naming)
{
    *naming = (gm_naming){.allowed = forming->stores.alphabet->content};
    naming->maps = GM_ARENA_NEW(forming->scratch, const gm_expression_node *, conjunct->count);
    naming->somes = GM_ARENA_NEW(forming->scratch, const gm_expression_node *, conjunct->count);
    if (naming->maps == NULL || naming->somes == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < conjunct->count; i++) {
        const gm_expression_node atom = forming->expressions.items[conjunct->atoms[i]];
        if (atom.kind == GM_ATOM_MEMBERS || atom.kind == GM_ATOM_SOME) {
            /* a copy that stays where it is while expressions are added */
            const gm_expression_node *map = gm_arena_copy(forming->scratch, &atom, sizeof atom);
            if (map == NULL)
                return gm_no_memory(forming->error);
            if (atom.kind == GM_ATOM_SOME && atom.as.members.names != GM_FORMULA_TRUE)
                GM_TRY(map_of_names(forming, atom.as.members.names, (gm_expression_node *)map));
            if (atom.kind == GM_ATOM_MEMBERS)
                naming->maps[naming->map_count++] = map;
            else
                naming->somes[naming->some_count++] = map;
            naming->by_text = naming->by_text || map->as.members.pattern_count != 0;
        } else if (atom.kind == GM_ATOM_NAMES) {
            gm_term allowed;
            GM_TRY(strings_of(forming, atom.as.names_formula, &allowed));
            GM_TRY(
                blame(forming, GM_KW_PROPERTY_NAMES,
                      gm_text_and(forming->stores.text, naming->allowed, allowed, &naming->allowed, forming->error)));
            naming->by_text = true;
        }
    }
    return GM_OK;
}

gm_status gm_naming_ask(gm_forming *forming, const gm_naming *naming, const gm_formula *by_map,
                        const gm_formula *by_some, gm_asking *out)
{
    const uint32_t sets = 1u << naming->some_count;
    gm_formula list[GM_MAX_OBLIGATIONS + 1], violates[GM_MAX_OBLIGATIONS];
    out->serving = NULL;
    GM_TRY(gm_formula_and(forming, by_map, naming->map_count, &out->formula));
    if (sets == 1)
        return GM_OK;
    gm_formula *serving = GM_ARENA_NEW(forming->keep, gm_formula, sets - 1);
    if (serving == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < naming->some_count; i++)
        GM_TRY(gm_formula_not(forming, by_some[i], &violates[i]));
    for (uint32_t served = 1; served < sets; served++) {
        size_t found = 1;
        list[0] = out->formula;
        for (uint32_t i = 0; i < naming->some_count; i++)
            if (served >> i & 1)
                list[found++] = violates[i];
        GM_TRY(gm_formula_and(forming, list, found, &serving[served - 1]));
    }
    out->serving = serving;
    return gm_forming_spend(forming, sets);
}

gm_status gm_naming_in_map(gm_forming *forming, const gm_expression_node *map, gm_bytes name, bool listed,
                           gm_formula own, gm_formula *formula)
{
    const uint32_t count = map->as.members.pattern_count;
    gm_formula *list = GM_ARENA_NEW(forming->scratch, gm_formula, (size_t)count + 1);
    size_t found = 0;
    if (list == NULL)
        return gm_no_memory(forming->error);
    if (listed)
        list[found++] = own;
    for (uint32_t i = 0; i < count; i++) {
        bool matches;
        if (gm_text_matches(forming->stores.text, map->as.members.patterns[i].pattern, name, &matches) != GM_OK)
            return gm_no_memory(forming->error);
        if (matches)
            list[found++] = map->as.members.patterns[i].formula;
    }
    if (found == 0)
        list[found++] = map->as.members.rest;
    return gm_formula_and(forming, list, found, formula);
}

/* ---- families ---- */

typedef struct cell { /* a class being cut: its term, and which distinct patterns it is inside of */
    gm_term term;
    const uint64_t *inside; /* a bit for each pattern */
} cell;

typedef struct asked { /* what one map asks of the names in one of the distinct patterns */
    uint32_t pattern;
    gm_formula formula;
} asked;

typedef struct cutting {
    gm_forming *forming;
    GM_ARRAY(gm_term) patterns;
    asked **by_map; /* of each map, as many as it has patterns at most */
    uint32_t *asked_count;
    gm_formula *list; /* room for what one map asks */
    GM_ARRAY(cell) cells;
} cutting;

/* The patterns of one map, those that ask the same as one: there are fewer classes to tell apart. */
static gm_status join_patterns(gm_forming *forming, const gm_expression_node *map, gm_pattern_member *out,
                               uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < map->as.members.pattern_count; i++) {
        const gm_pattern_member member = map->as.members.patterns[i];
        uint32_t at = 0;
        while (at < *count && out[at].formula != member.formula)
            at++;
        if (at == *count)
            out[(*count)++] = member;
        else
            GM_TRY(blame(
                forming, GM_KW_PATTERN_PROPERTIES,
                gm_text_or(forming->stores.text, out[at].pattern, member.pattern, &out[at].pattern, forming->error)));
    }
    return gm_forming_spend(forming, (uint64_t)map->as.members.pattern_count * *count);
}

/* The maps and behind them those of the SOME atoms. */
static const gm_expression_node *map_at(const gm_naming *naming, uint32_t i)
{
    return i < naming->map_count ? naming->maps[i] : naming->somes[i - naming->map_count];
}

static gm_status collect_patterns(cutting *c, const gm_naming *naming)
{
    gm_forming *forming = c->forming;
    const uint32_t total = naming->map_count + naming->some_count;
    uint32_t most = 0;
    c->by_map = GM_ARENA_NEW(forming->scratch, asked *, total);
    c->asked_count = GM_ARENA_NEW(forming->scratch, uint32_t, total);
    if (c->by_map == NULL || c->asked_count == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < total; i++) {
        const uint32_t room = map_at(naming, i)->as.members.pattern_count;
        gm_pattern_member *joined = GM_ARENA_NEW(forming->scratch, gm_pattern_member, room);
        c->by_map[i] = GM_ARENA_NEW(forming->scratch, asked, room);
        if (joined == NULL || c->by_map[i] == NULL)
            return gm_no_memory(forming->error);
        GM_TRY(join_patterns(forming, map_at(naming, i), joined, &c->asked_count[i]));
        for (uint32_t j = 0; j < c->asked_count[i]; j++) {
            uint32_t at = 0;
            while (at < c->patterns.count && c->patterns.items[at] != joined[j].pattern)
                at++;
            if (at == c->patterns.count &&
                !GM_ARRAY_PUSH(&forming->scratch->allocator, &c->patterns, joined[j].pattern))
                return gm_no_memory(forming->error);
            c->by_map[i][j] = (asked){at, joined[j].formula};
        }
        GM_TRY(gm_forming_spend(forming, (uint64_t)c->asked_count[i] * c->patterns.count));
        most = c->asked_count[i] > most ? c->asked_count[i] : most;
    }
    c->list = GM_ARENA_NEW(forming->scratch, gm_formula, (size_t)most + 1);
    return c->list != NULL ? GM_OK : gm_no_memory(forming->error);
}

static bool is_inside(const cell *at, uint32_t pattern) { return at->inside[pattern / 64] >> pattern % 64 & 1; }

/* The same set of patterns, and one more. */
static const uint64_t *with_pattern(const cutting *c, const uint64_t *inside, uint32_t index)
{
    uint64_t *more = gm_arena_copy(c->forming->scratch, inside, (c->patterns.count / 64 + 1) * sizeof *inside);
    if (more != NULL)
        more[index / 64] |= (uint64_t)1 << index % 64;
    return more;
}

static gm_status intersect(gm_forming *forming, gm_term a, gm_term b, gm_term *out)
{
    return blame(forming, GM_KW_PATTERN_PROPERTIES, gm_text_and(forming->stores.text, a, b, out, forming->error));
}

static gm_status subtract(gm_forming *forming, gm_term a, gm_term b, gm_term *out)
{
    gm_term outside;
    GM_TRY(blame(forming, GM_KW_PATTERN_PROPERTIES, gm_text_not(forming->stores.text, b, &outside, forming->error)));
    return intersect(forming, a, outside, out);
}

static gm_status add_cell(cutting *c, gm_term term, const uint64_t *inside, uint32_t index)
{
    gm_forming *forming = c->forming;
    cell in = {term, NULL};
    if (term == GM_TERM_NONE)
        return GM_OK;
    if (c->cells.count == MAX_CLASSES)
        return gm_schema_fail(forming->schema, forming->blame, GM_KW_PATTERN_PROPERTIES, GM_LIMIT, forming->error,
                              "the patterns for the names of one object tell more than %d classes of names apart",
                              MAX_CLASSES);
    in.inside = with_pattern(c, inside, index);
    return in.inside != NULL && GM_ARRAY_PUSH(&forming->scratch->allocator, &c->cells, in)
               ? GM_OK
               : gm_no_memory(forming->error);
}

/* The names of one pattern that are in none of those before it. Few overlap with it, as a rule, so
 * this is found from the pattern, not from the large set of names that were in none so far. */
static gm_status new_names(cutting *c, gm_term names, uint32_t index, gm_term *out)
{
    gm_forming *forming = c->forming;
    const gm_term pattern = c->patterns.items[index];
    GM_TRY(intersect(forming, names, pattern, out));
    for (uint32_t i = 0; i < index && *out != GM_TERM_NONE; i++) {
        gm_term both;
        GM_TRY(intersect(forming, pattern, c->patterns.items[i], &both));
        if (both != GM_TERM_NONE)
            GM_TRY(subtract(forming, *out, c->patterns.items[i], out));
    }
    return gm_forming_spend(forming, index);
}

/* Cuts every cell by one pattern; the names in no pattern are no cell yet. */
static gm_status cut(cutting *c, gm_term names, const uint64_t *nothing, uint32_t index)
{
    gm_forming *forming = c->forming;
    const gm_term pattern = c->patterns.items[index];
    const size_t count = c->cells.count;
    size_t kept = 0;
    gm_term fresh;
    GM_TRY(gm_forming_spend(forming, count));
    GM_TRY(new_names(c, names, index, &fresh));
    for (size_t i = 0; i < count; i++) {
        cell whole = c->cells.items[i];
        gm_term in;
        GM_TRY(intersect(forming, whole.term, pattern, &in));
        if (in != GM_TERM_NONE) {
            GM_TRY(subtract(forming, whole.term, pattern, &whole.term));
            GM_TRY(add_cell(c, in, whole.inside, index));
        }
        if (whole.term != GM_TERM_NONE)
            c->cells.items[kept++] = whole;
    }
    if (kept != count)
        memmove(c->cells.items + kept, c->cells.items + count, (c->cells.count - count) * sizeof *c->cells.items);
    c->cells.count -= count - kept;
    return add_cell(c, fresh, nothing, index);
}

static gm_status cut_by_all(cutting *c, gm_term names)
{
    gm_forming *forming = c->forming;
    gm_term all = GM_TERM_NONE;
    cell rest = {names, gm_arena_take_zeroed(forming->scratch, (c->patterns.count / 64 + 1) * sizeof(uint64_t))};
    if (rest.inside == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < c->patterns.count; i++) {
        GM_TRY(cut(c, names, rest.inside, i));
        GM_TRY(blame(forming, GM_KW_PATTERN_PROPERTIES,
                     gm_text_or(forming->stores.text, all, c->patterns.items[i], &all, forming->error)));
    }
    GM_TRY(subtract(forming, names, all, &rest.term));
    return rest.term == GM_TERM_NONE || GM_ARRAY_PUSH(&forming->scratch->allocator, &c->cells, rest)
               ? GM_OK
               : gm_no_memory(forming->error);
}

static gm_status ask_cell(const cutting *c, const gm_naming *naming, const cell *at, gm_asking *asking)
{
    gm_forming *forming = c->forming;
    const uint32_t total = naming->map_count + naming->some_count;
    gm_formula *all = GM_ARENA_NEW(forming->scratch, gm_formula, total + 1);
    if (all == NULL)
        return gm_no_memory(forming->error);
    for (uint32_t i = 0; i < total; i++) {
        size_t found = 0;
        for (uint32_t j = 0; j < c->asked_count[i]; j++)
            if (is_inside(at, c->by_map[i][j].pattern))
                c->list[found++] = c->by_map[i][j].formula;
        all[i] = map_at(naming, i)->as.members.rest;
        if (found != 0)
            GM_TRY(gm_formula_and(forming, c->list, found, &all[i]));
        GM_TRY(gm_forming_spend(forming, 1 + c->asked_count[i]));
    }
    return gm_naming_ask(forming, naming, all, all + naming->map_count, asking);
}

/* ---- listing a small family ---- */

typedef struct prefix {
    gm_term term;
    gm_bytes text;
} prefix;

/* The names of a finite family if they are few; *few tells. Breadth-first, so the prefixes that are
 * alive at once are bounded by the names. */
static gm_status list_names(gm_forming *forming, gm_term term, gm_asking asking, gm_listed *out, uint32_t *count,
                            bool *few)
{
    const gm_lengths *lengths;
    *few = false;
    GM_TRY(blame(forming, GM_KW_PATTERN_PROPERTIES,
                 gm_text_lengths(forming->stores.text, term, &lengths, forming->error)));
    if (lengths->greatest == UINT64_MAX || lengths->greatest > 4096)
        return GM_OK;
    prefix now[FEW_NAMES + 1], next[FEW_NAMES + 1];
    size_t alive = 1;
    uint32_t found = 0;
    now[0] = (prefix){term, {"", 0}};
    while (alive > 0) {
        size_t more = 0;
        for (size_t i = 0; i < alive; i++) {
            const gm_text_row *row = gm_text_row_of(forming->stores.text, now[i].term);
            if (row == NULL)
                return gm_no_memory(forming->error);
            if (row->accepts && found == FEW_NAMES)
                return GM_OK;
            if (row->accepts)
                out[found++] = (gm_listed){now[i].text, asking};
            for (uint32_t at = 0; at < 128 + row->range_count; at++) {
                const uint32_t low = at < 128 ? at : row->ranges[at - 128].low;
                const uint32_t high = at < 128 ? at : row->ranges[at - 128].high;
                const gm_term to = at < 128 ? row->ascii[at] : row->ranges[at - 128].to;
                for (uint32_t point = low; to != GM_TERM_NONE && point <= high; point++) {
                    char *copy = gm_arena_take(forming->scratch, now[i].text.length + 4);
                    if (copy == NULL)
                        return gm_no_memory(forming->error);
                    if (more == FEW_NAMES)
                        return GM_OK;
                    memcpy(copy, now[i].text.data, now[i].text.length);
                    const size_t length = now[i].text.length + gm_utf8_write(point, copy + now[i].text.length);
                    next[more++] = (prefix){to, {copy, length}};
                }
            }
        }
        memcpy(now, next, more * sizeof *now);
        alive = more;
    }
    *count = found;
    *few = true;
    return GM_OK;
}

/* Joins a cell to the families, unless its names are few: then they are listed. */
static gm_status add_family(gm_forming *forming, const gm_naming *naming, gm_term term, gm_asking asking,
                            gm_family *families, uint32_t *count, gm_listed *listed, uint32_t *listed_count)
{
    bool few;
    uint32_t names = 0;
    GM_TRY(list_names(forming, term, asking, listed + *listed_count, &names, &few));
    if (few) {
        *listed_count += names;
        return GM_OK;
    }
    for (uint32_t i = 0; i < *count; i++)
        if (gm_asking_equal(naming, (gm_asking){families[i].formula, families[i].serving}, asking))
            return blame(forming, GM_KW_PATTERN_PROPERTIES,
                         gm_text_or(forming->stores.text, families[i].term, term, &families[i].term, forming->error));
    families[(*count)++] = (gm_family){term, asking.formula, asking.serving};
    return GM_OK;
}

gm_status gm_naming_families(gm_forming *forming, const gm_naming *naming, const gm_bytes *names, uint32_t count,
                             gm_object_thread *record, gm_listed **listed, uint32_t *listed_count)
{
    cutting c = {.forming = forming};
    gm_term listed_names, others = naming->allowed;
    gm_status status = collect_patterns(&c, naming);
    *listed_count = 0;
    if (status == GM_OK && count != 0) {
        status = gm_text_constants(forming->stores.text, names, count, &listed_names, forming->error);
        if (status == GM_OK)
            status = gm_text_not(forming->stores.text, listed_names, &listed_names, forming->error);
        if (status == GM_OK)
            status = gm_text_and(forming->stores.text, others, listed_names, &others, forming->error);
        status = blame(forming, GM_KW_PATTERN_PROPERTIES, status);
    }
    if (status == GM_OK)
        status = cut_by_all(&c, others);
    gm_family *families = GM_ARENA_NEW(forming->keep, gm_family, c.cells.count);
    *listed = GM_ARENA_NEW(forming->scratch, gm_listed, c.cells.count * (FEW_NAMES + 1));
    if (status == GM_OK && (families == NULL || *listed == NULL))
        status = gm_no_memory(forming->error);
    uint32_t found = 0;
    for (size_t i = 0; i < c.cells.count && status == GM_OK; i++) {
        gm_asking asking;
        status = ask_cell(&c, naming, &c.cells.items[i], &asking);
        if (status == GM_OK && asking.formula != GM_FORMULA_FALSE)
            status =
                add_family(forming, naming, c.cells.items[i].term, asking, families, &found, *listed, listed_count);
    }
    record->families = families;
    record->family_count = found;
    GM_ARRAY_FREE(&forming->scratch->allocator, &c.cells);
    GM_ARRAY_FREE(&forming->scratch->allocator, &c.patterns);
    return status;
}
