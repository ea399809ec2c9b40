/*
 * cli/output.h - what every command writes with: error lines, JSON text, times, a progress bar.
 *
 * Results go to standard output, everything said about them to standard error. An error line is
 *
 *   gmask: FILE: pointer: keyword: message
 *
 * with the parts left out that are empty. Strings that reach JSON output are made well-formed
 * UTF-8 first (a pointer that was cut may end within a character).
 */
#ifndef GM_CLI_OUTPUT_H
#define GM_CLI_OUTPUT_H

#include "gmask/gmask.h"

#include <stdio.h>

#if defined(__GNUC__)
#define GM_CLI_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define GM_CLI_PRINTF(format_index, first)
#endif

/* Exit statuses. */
enum {
    GM_CLI_DONE = 0,
    GM_CLI_FAILED = 1, /* a job failed */
    GM_CLI_USAGE = 2   /* the command line is wrong */
};

/* "gmask: FILE: message"; `file` may be NULL. */
void gm_cli_say(const char *file, const char *format, ...) GM_CLI_PRINTF(2, 3);
/* An error of the library. An error without a message is told by the name of its status. */
void gm_cli_say_error(const char *file, const gm_error *error);

/* A JSON string with its quotes. */
void gm_cli_json_string(FILE *out, const char *text, size_t length);
/* `,"name":"text"` */
void gm_cli_json_member(FILE *out, const char *name, const char *text);

/* The visible ASCII of a token, everything else as \n or \xNN. */
void gm_cli_print_token(FILE *out, const uint8_t *bytes, size_t length);

/* Monotonic. */
uint64_t gm_cli_now_ns(void);

/* Durations, in nanoseconds, in order of arrival. Zero it before use. */
typedef struct gm_cli_times {
    uint64_t *items;
    size_t count;
    size_t capacity;
} gm_cli_times;

void gm_cli_times_add(gm_cli_times *times, uint64_t nanoseconds);
void gm_cli_times_free(gm_cli_times *times);

typedef struct gm_cli_summary {
    double median_us;
    double p99_us;
    double max_us;
    double total_us;
} gm_cli_summary;

/* Sorts the times. All zero when there are none. */
gm_cli_summary gm_cli_times_summary(gm_cli_times *times);

/* A bar on standard error, drawn only on a terminal and only once a run has taken half a second. */
typedef struct gm_cli_progress {
    uint64_t started_ns;
    uint64_t drawn_ns;
    bool is_terminal;
    bool shares_screen; /* with standard output */
    bool is_visible;
} gm_cli_progress;

gm_cli_progress gm_cli_progress_start(void);
/* Cheap enough for every step. */
void gm_cli_progress_show(gm_cli_progress *progress, size_t done, size_t total, const char *unit, uint64_t tokens);
/* Wipes the bar. */
void gm_cli_progress_hide(gm_cli_progress *progress);
/* Wipes it where standard output goes to the same screen; call before printing there. */
void gm_cli_progress_make_room(gm_cli_progress *progress);

#endif
