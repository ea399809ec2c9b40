/*
 * drive.c - the timed inner loop of the peers.
 *
 * Built as a shared library and called through ctypes, so that no interpreter runs between two readings of the clock.
 * An engine is a context and two functions over it.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* Writes the whole mask; 0 on success. */
typedef int (*fill_fn)(void *engine, uint32_t *mask);
/* Goes on by one token; 0 on success. */
typedef int (*commit_fn)(void *engine, uint32_t token);

typedef struct drive_result {
    int32_t accepted; /* 1: every token was allowed, and a stop token at the end */
    int32_t error;    /* 1: no mask; 2: a token was refused after its bit was set */
    int32_t masks;    /* entries of mask_ns */
    int32_t commits;  /* entries of commit_ns */
} drive_result;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* What a reading of the clock takes, in nanoseconds: each time that is measured holds one. Least of several turns. */
double drive_clock_ns(void)
{
    enum { TURNS = 50, READINGS = 2000 };
    double least = 1e9;
    for (int turn = 0; turn < TURNS; turn++) {
        const uint64_t start = now_ns();
        uint64_t last = start;
        for (int i = 0; i < READINGS; i++)
            last = now_ns();
        const double each = (double)(last - start) / READINGS;
        least = each < least ? each : least;
    }
    return least;
}

static int has_bit(const uint32_t *mask, uint32_t token) { return (mask[token >> 5] >> (token & 31)) & 1; }

/* Walks one instance to its end or its first refused token. mask_ns has room for count + 1 entries, commit_ns for
   count. */
void drive_walk(fill_fn fill, commit_fn commit, void *engine, const uint32_t *tokens, int32_t count,
                const uint32_t *stops, int32_t stop_count, uint32_t *mask, uint64_t *mask_ns, uint64_t *commit_ns,
                drive_result *result)
{
    memset(result, 0, sizeof *result);
    for (int32_t i = 0;; i++) {
        uint64_t start = now_ns();
        int failed = fill(engine, mask);
        mask_ns[result->masks] = now_ns() - start;
        if (failed != 0) {
            result->error = 1;
            return;
        }
        result->masks++;
        if (i == count)
            break;
        if (!has_bit(mask, tokens[i]))
            return;
        start = now_ns();
        failed = commit(engine, tokens[i]);
        commit_ns[result->commits] = now_ns() - start;
        if (failed != 0) {
            result->error = 2;
            return;
        }
        result->commits++;
    }
    for (int32_t i = 0; i < stop_count; i++)
        if (has_bit(mask, stops[i]))
            result->accepted = 1;
}

int drive_first(fill_fn fill, void *engine, uint32_t *mask, uint64_t *ns)
{
    const uint64_t start = now_ns();
    const int failed = fill(engine, mask);
    *ns = now_ns() - start;
    return failed;
}

/* ---- engines with a plain C interface: a handle and two entry points ---- */

typedef struct plain_engine {
    void *handle;
    int32_t (*fill)(void *handle, uint32_t *mask, size_t bytes);
    int32_t (*commit)(void *handle, uint32_t token);
    size_t mask_bytes;
} plain_engine;

int plain_fill(void *context, uint32_t *mask)
{
    const plain_engine *engine = context;
    return engine->fill(engine->handle, mask, engine->mask_bytes);
}

int plain_commit(void *context, uint32_t token)
{
    const plain_engine *engine = context;
    return engine->commit(engine->handle, token);
}

size_t plain_engine_size(void) { return sizeof(plain_engine); }

/* ---- engines behind a packed-argument interface (apache-tvm-ffi): tagged values of 16 bytes ---- */

enum { PACKED_INT = 1, PACKED_BOOL = 2, PACKED_TENSOR = 7 };

typedef struct packed_value {
    int32_t type;
    uint32_t zero;
    union {
        int64_t integer;
        void *pointer;
    } as;
} packed_value;

/* A tensor by DLPack. */
typedef struct packed_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t dimensions;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} packed_tensor;

typedef struct packed_engine {
    int (*call)(void *function, packed_value *arguments, int32_t count, packed_value *result);
    void *fill, *commit, *self;
    int32_t self_type;
    int64_t words;
    /* from here on this file's own */
    int64_t shape[2], strides[2];
    packed_tensor tensor;
} packed_engine;

int packed_fill(void *context, uint32_t *mask)
{
    packed_engine *engine = context;
    engine->shape[0] = 1;
    engine->shape[1] = engine->words;
    engine->strides[0] = engine->words;
    engine->strides[1] = 1;
    engine->tensor = (packed_tensor){.data = mask,
                                     .device_type = 1,
                                     .dimensions = 2,
                                     .bits = 32,
                                     .lanes = 1,
                                     .shape = engine->shape,
                                     .strides = engine->strides};
    /* self, mask, row 0, no debug print */
    packed_value arguments[4] = {{.type = engine->self_type, .as.pointer = engine->self},
                                 {.type = PACKED_TENSOR, .as.pointer = &engine->tensor},
                                 {.type = PACKED_INT},
                                 {.type = PACKED_BOOL}};
    packed_value result = {0};
    return engine->call(engine->fill, arguments, 4, &result);
}

int packed_commit(void *context, uint32_t token)
{
    packed_engine *engine = context;
    /* self, token, no debug print */
    packed_value arguments[3] = {{.type = engine->self_type, .as.pointer = engine->self},
                                 {.type = PACKED_INT, .as.integer = token},
                                 {.type = PACKED_BOOL}};
    packed_value result = {0};
    const int failed = engine->call(engine->commit, arguments, 3, &result);
    return failed != 0 ? failed : result.as.integer == 0;
}

size_t packed_engine_size(void) { return sizeof(packed_engine); }
