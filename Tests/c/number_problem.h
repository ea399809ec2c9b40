/*
 * number_problem.h - what the tests of number languages share: constraints as C literals, and the
 * exploration of a language's states with a way to acceptance from each.
 */
#ifndef NUMBER_PROBLEM_H
#define NUMBER_PROBLEM_H

#include "check.h"
#include "lex/number.h"

/* ---- sets of constraints ---- */

enum { MOST = 6 };

typedef struct problem {
    const char *minimum, *maximum;
    bool exclusive_minimum, exclusive_maximum;
    const char *multiples[MOST];
    int multiple_count;
    bool integer;
    const char *values[MOST];
    int value_count;
    bool has_values;
    const char *excluded[MOST];
    int excluded_count;
    const char *not_multiples[MOST];
    int not_multiple_count;
    bool plain_integer, plain, marked;
} problem;

static inline void to_bytes(const char *const *from, int count, gm_bytes *to)
{
    for (int i = 0; i < count; i++)
        to[i] = gm_bytes_of(from[i]);
}

static inline gm_status define(gm_number *number, const problem *p, gm_number_language *language, bool *is_empty, gm_error *error)
{
    gm_bytes multiples[MOST], values[MOST], excluded[MOST], not_multiples[MOST];
    to_bytes(p->multiples, p->multiple_count, multiples);
    to_bytes(p->values, p->value_count, values);
    to_bytes(p->excluded, p->excluded_count, excluded);
    to_bytes(p->not_multiples, p->not_multiple_count, not_multiples);
    const gm_number_constraints constraints = {
        .minimum = p->minimum ? gm_bytes_of(p->minimum) : (gm_bytes){0},
        .maximum = p->maximum ? gm_bytes_of(p->maximum) : (gm_bytes){0},
        .exclusive_minimum = p->exclusive_minimum,
        .exclusive_maximum = p->exclusive_maximum,
        .multiples = multiples,
        .multiple_count = (size_t)p->multiple_count,
        .integer = p->integer,
        .values = values,
        .value_count = (size_t)p->value_count,
        .has_values = p->has_values,
        .excluded = excluded,
        .excluded_count = (size_t)p->excluded_count,
        .not_multiples = not_multiples,
        .not_multiple_count = (size_t)p->not_multiple_count,
        .marked = p->marked,
        .plain_integer = p->plain_integer,
        .plain = p->plain,
    };
    return gm_number_define(number, &constraints, language, is_empty, error);
}

static inline void print_problem(const problem *p, int exponent_digits)
{
    fprintf(stderr, "  {exponent digits %d%s%s%s%s", exponent_digits, p->plain ? ", plain" : "",
            p->marked ? ", marked" : "", p->plain_integer ? ", plain integers" : "", p->integer ? ", integer" : "");
    if (p->minimum)
        fprintf(stderr, ", %s %s", p->exclusive_minimum ? ">" : ">=", p->minimum);
    if (p->maximum)
        fprintf(stderr, ", %s %s", p->exclusive_maximum ? "<" : "<=", p->maximum);
    for (int i = 0; i < p->multiple_count; i++)
        fprintf(stderr, ", multiple %s", p->multiples[i]);
    for (int i = 0; i < p->not_multiple_count; i++)
        fprintf(stderr, ", no multiple %s", p->not_multiples[i]);
    if (p->has_values)
        fprintf(stderr, ", values");
    for (int i = 0; i < p->value_count; i++)
        fprintf(stderr, " %s", p->values[i]);
    for (int i = 0; i < p->excluded_count; i++)
        fprintf(stderr, ", not %s", p->excluded[i]);
    fprintf(stderr, "}\n");
}

/* ---- states and witnesses ---- */

enum { MOST_STATES = 20000 };

typedef struct node {
    gm_number_state state;
    int parent;
    int witness; /* the next node on a shortest way to acceptance, or -1 */
    char by, witness_by;
    bool done;
} node;

static const char CLASSES[] = "0123456789-+.e";

/* Nodes by state id. */
typedef struct exploration {
    node *nodes;
    int count;
    int *of_state;
    size_t state_count;
    bool complete;
} exploration;

static inline int node_of(exploration *x, gm_number_state state)
{
    if (state >= x->state_count) {
        const size_t count = (size_t)state * 2 + 64;
        x->of_state = realloc(x->of_state, count * sizeof(int));
        for (size_t i = x->state_count; i < count; i++)
            x->of_state[i] = -1;
        x->state_count = count;
    }
    return x->of_state[state];
}

static inline void add_node(exploration *x, gm_number_state state, int parent, char by)
{
    if (node_of(x, state) >= 0)
        return;
    if (x->count == MOST_STATES) {
        x->complete = false;
        return;
    }
    x->of_state[state] = x->count;
    x->nodes[x->count++] = (node){.state = state, .parent = parent, .witness = -1, .by = by};
}

/* Breadth first against the edges, from all that accept. */
static inline void find_witnesses(exploration *x, gm_number *number)
{
    typedef struct edge {
        int from, next;
        char by;
    } edge;
    edge *edges = malloc(((size_t)x->count * GM_NUMBER_CLASSES + 1) * sizeof *edges);
    int *heads = malloc(((size_t)x->count + 1) * sizeof *heads), *queue = malloc(((size_t)x->count + 1) * sizeof *queue);
    int edge_count = 0, end = 0;
    for (int i = 0; i < x->count; i++)
        heads[i] = -1;
    for (int i = 0; i < x->count; i++) {
        const gm_number_row *row = gm_number_row_of(number, x->nodes[i].state);
        if (row->accepts) {
            x->nodes[i].done = true;
            queue[end++] = i;
        }
        for (int c = 0; c < GM_NUMBER_CLASSES; c++) {
            const int to = row->to[c] != GM_NUMBER_DEAD ? node_of(x, row->to[c]) : -1;
            if (to < 0)
                continue;
            edges[edge_count] = (edge){.from = i, .next = heads[to], .by = CLASSES[c]};
            heads[to] = edge_count++;
        }
    }
    for (int begin = 0; begin < end; begin++)
        for (int e = heads[queue[begin]]; e >= 0; e = edges[e].next) {
            node *from = &x->nodes[edges[e].from];
            if (from->done)
                continue;
            from->done = true;
            from->witness = queue[begin];
            from->witness_by = edges[e].by;
            queue[end++] = edges[e].from;
        }
    free(edges);
    free(heads);
    free(queue);
}

static inline void explore(exploration *x, gm_number *number, gm_number_state start)
{
    *x = (exploration){.nodes = malloc(MOST_STATES * sizeof(node)), .complete = true};
    add_node(x, start, -1, 0);
    for (int i = 0; i < x->count; i++) {
        const gm_number_row *row = gm_number_row_of(number, x->nodes[i].state);
        for (int c = 0; c < GM_NUMBER_CLASSES; c++)
            if (row->to[c] != GM_NUMBER_DEAD)
                add_node(x, row->to[c], i, CLASSES[c]);
    }
    find_witnesses(x, number);
}

static inline void explored(exploration *x)
{
    free(x->nodes);
    free(x->of_state);
}

static inline gm_number *new_store(int exponent_digits)
{
    const gm_number_limits limits = {.max_exponent_digits = (uint64_t)exponent_digits, .max_modulus = INT64_MAX};
    gm_number *number = NULL;
    CHECK(gm_number_create(NULL, &limits, &number, NULL) == GM_OK);
    return number;
}

#endif
