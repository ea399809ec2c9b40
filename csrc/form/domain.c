/*
 * form/domain.c - infinitely many values or not, and what unique arrays need: see domain.h. The lists are in listing.c.
 */
#include "form/listing.h"
#include "form/obligation.h"

static const gm_allocator *scratch(gm_domains *domains) { return &domains->forming->scratch->allocator; }

static bool is_inhabited(const gm_domains *domains, gm_formula formula)
{
    return formula != GM_FORMULA_FALSE && domains->profiles[formula] != NULL && domains->profiles[formula]->inhabited;
}

static bool is_endless(const gm_domains *domains, gm_formula formula)
{
    return is_inhabited(domains, formula) && domains->profiles[formula]->endless;
}

/* ---- scalars and names ---- */

static gm_status text_is_endless(gm_domains *domains, gm_text_thread text, bool *endless)
{
    const gm_lengths *lengths;
    *endless = false;
    if (text.most != GM_UNBOUNDED)
        return GM_OK;
    *endless = true;
    if (text.term == GM_TERM_ANY)
        return GM_OK;
    const gm_status status = gm_text_lengths(domains->forming->stores.text, text.term, &lengths, NULL);
    if (status != GM_OK)
        return status == GM_OUT_OF_MEMORY ? gm_no_memory(domains->forming->error) : GM_OK; /* too irregular to end */
    *endless = lengths->greatest == UINT64_MAX;
    return GM_OK;
}

/* A vocabulary without all digits can spell fewer numbers. */
static bool has_all_digits(const gm_forming *forming)
{
    for (int class = 0; class < GM_NUMBER_CLASSES; class ++)
        if (class != GM_NUMBER_PLUS && !gm_alphabet_has_class(forming->stores.alphabet, class))
            return false;
    return true;
}

static gm_status scalars_are_endless(gm_domains *domains, const gm_profile *profile, bool *endless)
{
    gm_number *number = domains->forming->stores.number;
    *endless = false;
    for (uint32_t i = 0; i < profile->text_count && !*endless; i++)
        GM_TRY(text_is_endless(domains, profile->texts[i], endless));
    for (uint32_t i = 0; i < profile->number_count && !*endless; i++)
        *endless = has_all_digits(domains->forming) &&
                   gm_number_is_endless(number, gm_number_start(number, profile->numbers[i]));
    return GM_OK;
}

/* ---- threads ---- */

static uint64_t required_names(const gm_object_thread *object)
{
    uint64_t required = 0;
    for (uint32_t i = 0; i < object->name_count; i++)
        required += object->names[i].required;
    return required;
}

static bool some_inhabited(const gm_domains *domains, gm_formula formula, const gm_formula *serving,
                           uint32_t obligations)
{
    for (uint32_t served = 0; served < 1u << obligations; served++)
        if (is_inhabited(domains, gm_formula_for(formula, serving, served)))
            return true;
    return false;
}

/* Whether a thread has infinitely many values by itself, whatever its members are. */
static gm_status object_is_endless(gm_domains *domains, const gm_object_thread *object, bool *endless)
{
    *endless = false;
    if (required_names(object) >= object->most)
        return GM_OK;
    if (object->families == NULL) {
        *endless = some_inhabited(domains, object->rest, object->rest_serving, object->obligations);
        return GM_OK;
    }
    for (uint32_t i = 0; i < object->family_count && !*endless; i++) {
        const gm_family *family = &object->families[i];
        if (some_inhabited(domains, family->formula, family->serving, object->obligations))
            GM_TRY(text_is_endless(domains, (gm_text_thread){family->term, 0, GM_UNBOUNDED}, endless));
    }
    return GM_OK;
}

/* An array ends before the first position that nothing can take. */
static uint64_t longest(const gm_domains *domains, const gm_array_thread *array)
{
    for (uint32_t i = 0; i <= array->prefix_count && i < array->most; i++) {
        bool some = false;
        for (uint32_t served = 0; served < gm_array_sets(array) && !some; served++)
            some = is_inhabited(domains, gm_array_item(array, i, served));
        if (!some)
            return i;
    }
    return array->most;
}

static bool usable(const void *context, uint32_t name, gm_formula formula)
{
    (void)name;
    return is_inhabited(context, formula);
}

static gm_status array_is_endless(gm_domains *domains, gm_array_thread *array, bool *endless)
{
    bool is_regular;
    *endless = array->counting == NULL && !array->unique && longest(domains, array) == GM_UNBOUNDED;
    if (array->most != GM_UNBOUNDED || array->unique || array->counting == NULL)
        return GM_OK;
    GM_TRY(gm_form_look_ahead(domains->forming, array, usable, domains, domains->forming->scratch, &is_regular));
    *endless = array->counting->greatest[0] == UINT64_MAX;
    return GM_OK;
}

/* ---- the graph: which formula can stand inside which ---- */

typedef struct edge {
    gm_formula child, parent;
} edge;

typedef struct graph {
    gm_domains *domains;
    GM_ARRAY(edge) edges;
    uint32_t *open;   /* by formula: children not known to be finite */
    uint8_t *endless; /* by formula: has infinitely many values by itself */
    GM_ARRAY(gm_formula) finite;
} graph;

static gm_status link_child(graph *g, gm_formula parent, gm_formula child)
{
    if (!is_inhabited(g->domains, child))
        return GM_OK;
    g->open[parent]++;
    return GM_ARRAY_PUSH(scratch(g->domains), &g->edges, ((edge){child, parent}))
               ? gm_forming_spend(g->domains->forming, 1)
               : gm_no_memory(g->domains->forming->error);
}

static gm_status link_asked(graph *g, gm_formula parent, gm_formula formula, const gm_formula *serving,
                            uint32_t obligations)
{
    for (uint32_t served = 0; served < 1u << obligations; served++)
        GM_TRY(link_child(g, parent, gm_formula_for(formula, serving, served)));
    return GM_OK;
}

static gm_status link_object(graph *g, gm_formula parent, const gm_object_thread *object)
{
    const bool has_room = required_names(object) < object->most;
    for (uint32_t i = 0; i < object->name_count; i++)
        if (object->names[i].required || has_room)
            GM_TRY(link_asked(g, parent, object->names[i].formula, object->names[i].serving, object->obligations));
    for (uint32_t i = 0; i < object->family_count && has_room; i++)
        GM_TRY(link_asked(g, parent, object->families[i].formula, object->families[i].serving, object->obligations));
    return GM_OK; /* all other names: infinitely many by themselves */
}

static gm_status link_array(graph *g, gm_formula parent, const gm_array_thread *array)
{
    const uint64_t most = longest(g->domains, array);
    for (uint32_t i = 0; i <= array->prefix_count && i < most; i++)
        for (uint32_t served = 0; served < gm_array_sets(array); served++)
            GM_TRY(link_child(g, parent, gm_array_item(array, i, served)));
    return GM_OK;
}

static gm_status link_formula(graph *g, gm_formula formula)
{
    const gm_profile *profile = g->domains->profiles[formula];
    bool endless;
    GM_TRY(scalars_are_endless(g->domains, profile, &endless));
    for (uint32_t i = 0; i < profile->object_count && !endless; i++)
        if (profile->objects[i]->inhabited) {
            GM_TRY(object_is_endless(g->domains, profile->objects[i], &endless));
            GM_TRY(link_object(g, formula, profile->objects[i]));
        }
    for (uint32_t i = 0; i < profile->array_count && !endless; i++)
        if (profile->arrays[i]->inhabited) {
            GM_TRY(array_is_endless(g->domains, (gm_array_thread *)profile->arrays[i], &endless));
            GM_TRY(link_array(g, formula, profile->arrays[i]));
        }
    g->endless[formula] = endless;
    if (endless || g->open[formula] != 0)
        return GM_OK;
    return GM_ARRAY_PUSH(scratch(g->domains), &g->finite, formula) ? GM_OK : gm_no_memory(g->domains->forming->error);
}

static int by_child(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    return x->child < y->child ? -1 : x->child > y->child;
}

/* The edges of a child stand together: where they begin. */
static size_t edges_of(const graph *g, gm_formula child)
{
    size_t low = 0, high = g->edges.count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (g->edges.items[middle].child < child)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What has only finite children is finite; what is never found to be so has infinitely many values. */
static gm_status spread_finite(graph *g)
{
    if (g->edges.count > 1)
        qsort(g->edges.items, g->edges.count, sizeof *g->edges.items, by_child);
    for (size_t at = 0; at < g->finite.count; at++) {
        const gm_formula child = g->finite.items[at];
        ((gm_profile *)g->domains->profiles[child])->endless = false;
        for (size_t i = edges_of(g, child); i < g->edges.count && g->edges.items[i].child == child; i++) {
            const gm_formula parent = g->edges.items[i].parent;
            if (--g->open[parent] == 0 && !g->endless[parent] &&
                !GM_ARRAY_PUSH(scratch(g->domains), &g->finite, parent))
                return gm_no_memory(g->domains->forming->error);
        }
    }
    return GM_OK;
}

static bool asks_endless(const gm_domains *domains, gm_formula formula, const gm_formula *serving, uint32_t obligations)
{
    for (uint32_t served = 0; served < 1u << obligations; served++)
        if (is_endless(domains, gm_formula_for(formula, serving, served)))
            return true;
    return false;
}

/* Which threads have a name or position where infinitely many values may stand. */
static gm_status mark_threads(gm_domains *domains, const gm_profile *profile)
{
    for (uint32_t i = 0; i < profile->object_count; i++) {
        gm_object_thread *object = (gm_object_thread *)profile->objects[i];
        GM_TRY(object_is_endless(domains, object, &object->endless));
        for (uint32_t j = 0; j < object->name_count && !object->endless; j++)
            object->endless =
                asks_endless(domains, object->names[j].formula, object->names[j].serving, object->obligations);
        for (uint32_t j = 0; j < object->family_count && !object->endless; j++)
            object->endless =
                asks_endless(domains, object->families[j].formula, object->families[j].serving, object->obligations);
    }
    for (uint32_t i = 0; i < profile->array_count; i++) {
        gm_array_thread *array = (gm_array_thread *)profile->arrays[i];
        GM_TRY(array_is_endless(domains, array, &array->endless));
        const uint64_t most = longest(domains, array);
        for (size_t j = 0; j < ((size_t)array->prefix_count + 1) * gm_array_sets(array) && !array->endless; j++)
            array->endless = j / gm_array_sets(array) < most && is_endless(domains, array->asked[j]);
    }
    return GM_OK;
}

static gm_status find_endless(graph *g)
{
    gm_domains *domains = g->domains;
    for (size_t i = 0; i < domains->count; i++)
        if (domains->profiles[i] != NULL) {
            ((gm_profile *)domains->profiles[i])->endless = domains->profiles[i]->inhabited;
            if (domains->profiles[i]->inhabited)
                GM_TRY(link_formula(g, (gm_formula)i));
        }
    GM_TRY(spread_finite(g));
    for (size_t i = 0; i < domains->count; i++)
        if (domains->profiles[i] != NULL)
            GM_TRY(mark_threads(domains, domains->profiles[i]));
    return GM_OK;
}

gm_status gm_domains_find_endless(gm_domains *domains)
{
    graph g = {.domains = domains,
               .open = GM_ARENA_NEW(domains->forming->scratch, uint32_t, domains->count),
               .endless = GM_ARENA_NEW(domains->forming->scratch, uint8_t, domains->count)};
    domains->known = GM_ARENA_NEW(domains->forming->scratch, gm_domain, domains->count);
    gm_status status = GM_OK;
    if (g.open == NULL || g.endless == NULL || domains->known == NULL)
        status = gm_no_memory(domains->forming->error);
    else
        status = find_endless(&g);
    GM_ARRAY_FREE(scratch(domains), &g.edges);
    GM_ARRAY_FREE(scratch(domains), &g.finite);
    return status;
}

/* ---- what unique arrays need ---- */

/* Whether a formula has at least so many values; *unsure if that is not found out. */
static gm_status has_values(gm_domains *domains, gm_formula formula, uint64_t wanted, bool *has, bool *unsure)
{
    const gm_domain *domain;
    *unsure = false;
    *has = wanted == 0 || is_endless(domains, formula);
    if (*has || !is_inhabited(domains, formula))
        return GM_OK;
    const size_t limit = wanted < GM_MAX_LISTED ? (size_t)wanted : GM_MAX_LISTED;
    GM_TRY(gm_domain_list(domains, formula, limit, &domain));
    *has = domain->values.count >= wanted;
    *unsure = !*has && !domain->is_whole;
    return GM_OK;
}

/* All of one formula, and `contains` with a least count at most. */
static gm_status supply_alike(gm_domains *domains, const gm_array_thread *thread, gm_supply *supply)
{
    uint64_t counted = 0, wanted = thread->least;
    bool has = true, has_counted = true, unsure = false, unsure_counted = false;
    if (thread->counting != NULL) {
        counted = thread->counting->radix[0] - 1;
        wanted = counted > wanted ? counted : wanted;
        GM_TRY(has_values(domains, gm_array_item(thread, 0, 1), counted, &has_counted, &unsure_counted));
    }
    GM_TRY(has_values(domains, gm_array_item(thread, 0, 0), wanted, &has, &unsure));
    *supply = has && has_counted                                       ? GM_SUPPLY_ENOUGH
              : (!has && !unsure) || (!has_counted && !unsure_counted) ? GM_SUPPLY_SHORT
                                                                       : GM_SUPPLY_UNSURE;
    return GM_OK;
}

/* Positions with finitely many values each; a NULL domain has infinitely many. */
typedef struct positions {
    gm_domains *domains;
    const gm_domain **of;
    size_t count;
    uint32_t *taken_by; /* matching: by value of all lists together, position plus one */
} positions;

enum { MOST_PREFIX = 64 }; /* positions, and values of each, that are matched */

static bool lists_share(const gm_domain *a, const gm_domain *b)
{
    if (!a->is_whole || !b->is_whole)
        return true;
    for (size_t i = 0; i < a->values.count; i++)
        for (size_t j = 0; j < b->values.count; j++)
            if (gm_bytes_equal(a->values.items[i], b->values.items[j]))
                return true;
    return false;
}

/* Whether a position always finds a value, whatever stands before it. */
static bool always_finds(const positions *p, size_t at)
{
    const gm_domain *own = p->of[at];
    size_t others = 0;
    if (own == NULL || own->values.count > at)
        return true;
    for (size_t i = 0; i < at; i++)
        others += p->of[i] == NULL || lists_share(own, p->of[i]);
    return own->values.count > others;
}

/* Moves positions along an alternating path until `at` has a value of its own: breadth first from it. `owner` says
 * which value each position holds. */
static bool find_value(const positions *p, size_t at, const gm_bytes **owner)
{
    size_t queue[MOST_PREFIX], from[MOST_PREFIX], head = 0, tail = 0;
    const gm_bytes *through[MOST_PREFIX] = {NULL}; /* the value by which a position was reached: its own */
    bool met[MOST_PREFIX] = {false};
    queue[tail++] = at;
    met[at] = true;
    while (head < tail) {
        const size_t position = queue[head++];
        for (size_t i = 0; i < p->of[position]->values.count; i++) {
            const gm_bytes *value = &p->of[position]->values.items[i];
            size_t holder = SIZE_MAX;
            for (size_t j = 0; j <= at; j++)
                if (owner[j] != NULL && gm_bytes_equal(*owner[j], *value))
                    holder = j;
            if (holder == SIZE_MAX) {
                size_t last = position;
                const gm_bytes *take = value;
                while (last != at) {
                    owner[last] = take;
                    take = through[last];
                    last = from[last];
                }
                owner[at] = take;
                return true;
            }
            if (met[holder])
                continue;
            met[holder] = true;
            from[holder] = position;
            through[holder] = value;
            queue[tail++] = holder;
        }
    }
    return false;
}

/* How many positions from the first can have different values: all, or up to the first that cannot. */
static size_t matched(const positions *p)
{
    const gm_bytes *owner[MOST_PREFIX] = {NULL};
    for (size_t i = 0; i < p->count; i++)
        if (p->of[i] != NULL && !find_value(p, i, owner))
            return i;
    return p->count;
}

static gm_status list_positions(positions *p, const gm_array_thread *thread, bool *listed)
{
    *listed = true;
    for (size_t i = 0; i < p->count; i++) {
        const gm_formula formula = gm_array_item(thread, i, 0);
        if (is_endless(p->domains, formula))
            continue;
        GM_TRY(gm_domain_list(p->domains, formula, MOST_PREFIX + 1, &p->of[i]));
        *listed = *listed && (p->of[i]->is_whole || p->of[i]->values.count > i);
    }
    return GM_OK;
}

static bool is_single(const gm_domain *domain)
{
    return domain != NULL && domain->is_whole && domain->values.count == 1;
}

/* Positions that are asked different things. */
static gm_status supply_prefix(gm_domains *domains, gm_array_thread *thread, gm_supply *supply)
{
    const uint64_t prefix = (uint64_t)thread->prefix_count + 1,
                   wanted = thread->least > prefix ? thread->least : prefix;
    const uint64_t most = longest(domains, thread), count = wanted < most ? wanted : most;
    positions p = {.domains = domains};
    bool listed, always = true, single = true;
    *supply = GM_SUPPLY_UNSURE;
    if (count > MOST_PREFIX)
        return GM_OK;
    p.count = (size_t)count;
    p.of = GM_ARENA_NEW(domains->forming->scratch, const gm_domain *, p.count);
    if (p.of == NULL)
        return gm_no_memory(domains->forming->error);
    GM_TRY(list_positions(&p, thread, &listed));
    if (!listed)
        return GM_OK;
    for (size_t i = 0; i < p.count; i++) {
        always = always && (i >= thread->least || always_finds(&p, i));
        single = single && (i >= thread->least || is_single(p.of[i]));
    }
    const size_t filled = matched(&p);
    *supply = filled < thread->least ? GM_SUPPLY_SHORT : always || single ? GM_SUPPLY_ENOUGH : GM_SUPPLY_UNSURE;
    if (filled < p.count && filled >= thread->least && filled < thread->most)
        thread->most = filled;
    return GM_OK;
}

gm_status gm_domains_supply(gm_domains *domains, gm_array_thread *thread, gm_supply *supply)
{
    bool endless = true;
    for (size_t i = 0; i < ((size_t)thread->prefix_count + 1) * gm_array_sets(thread); i++)
        endless = endless && (!is_inhabited(domains, thread->asked[i]) || is_endless(domains, thread->asked[i]));
    *supply = GM_SUPPLY_ENOUGH;
    if (endless)
        return GM_OK;
    if (thread->counting != NULL && (thread->counting->obligations > 1 || thread->counting->exact[0])) {
        *supply = GM_SUPPLY_UNSURE;
        return GM_OK;
    }
    if (thread->prefix_count == 0)
        return supply_alike(domains, thread, supply);
    if (thread->counting != NULL) {
        *supply = GM_SUPPLY_UNSURE;
        return GM_OK;
    }
    return supply_prefix(domains, thread, supply);
}
