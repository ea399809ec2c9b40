/*
 * cli/output.c - see output.h.
 */
#define _POSIX_C_SOURCE 200809L

#include "cli/output.h"

#include "cli/input.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- errors ---- */

void gm_cli_say(const char *file, const char *format, ...)
{
    va_list arguments;
    fputs("gmask: ", stderr);
    if (file != NULL)
        fprintf(stderr, "%s: ", file);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

void gm_cli_say_error(const char *file, const gm_error *error)
{
    fputs("gmask: ", stderr);
    if (file != NULL)
        fprintf(stderr, "%s: ", file);
    if (error->pointer[0] != '\0')
        fprintf(stderr, "%s: ", error->pointer);
    if (error->keyword[0] != '\0')
        fprintf(stderr, "%s: ", error->keyword);
    fputs(error->message[0] != '\0' ? error->message : gm_status_name(error->status), stderr);
    if (error->offset != 0)
        fprintf(stderr, " (at byte %llu)", (unsigned long long)error->offset);
    fputc('\n', stderr);
}

/* ---- JSON ---- */

/* Length of the well-formed UTF-8 sequence at `text`, 0 when there is none. */
static size_t sequence_length(const unsigned char *text, size_t length)
{
    const unsigned char lead = text[0];
    const size_t want = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3
                      : lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
    if (want == 0 || want > length)
        return 0;
    for (size_t i = 1; i < want; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    const bool overlong = (lead == 0xE0 && text[1] < 0xA0) || (lead == 0xF0 && text[1] < 0x90);
    const bool outside = (lead == 0xED && text[1] > 0x9F) || (lead == 0xF4 && text[1] > 0x8F);
    return overlong || outside ? 0 : want;
}

void gm_cli_json_string(FILE *out, const char *text, size_t length)
{
    fputc('"', out);
    for (size_t at = 0; at < length;) {
        const unsigned char byte = (unsigned char)text[at];
        const size_t step = sequence_length((const unsigned char *)text + at, length - at);
        if (step == 0)
            fputs("\xEF\xBF\xBD", out);
        else if (byte == '"' || byte == '\\')
            fprintf(out, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7F)
            fprintf(out, "\\u%04x", byte);
        else
            fwrite(text + at, 1, step, out);
        at += step != 0 ? step : 1;
    }
    fputc('"', out);
}

void gm_cli_json_member(FILE *out, const char *name, const char *text)
{
    fprintf(out, ",\"%s\":", name);
    gm_cli_json_string(out, text, strlen(text));
}

void gm_cli_print_token(FILE *out, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == '\n')
            fputs("\\n", out);
        else if (bytes[i] == '\\')
            fputs("\\\\", out);
        else if (bytes[i] >= 0x20 && bytes[i] < 0x7F)
            fputc(bytes[i], out);
        else
            fprintf(out, "\\x%02x", bytes[i]);
    }
}

/* ---- times ---- */

uint64_t gm_cli_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void gm_cli_times_add(gm_cli_times *times, uint64_t nanoseconds)
{
    if (times->count == times->capacity) {
        times->capacity = times->capacity != 0 ? times->capacity * 2 : 1024;
        times->items = gm_cli_reallocate(times->items, times->capacity, sizeof *times->items);
    }
    times->items[times->count++] = nanoseconds;
}

void gm_cli_times_free(gm_cli_times *times)
{
    free(times->items);
    *times = (gm_cli_times){0};
}

static int compare_times(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

gm_cli_summary gm_cli_times_summary(gm_cli_times *times)
{
    if (times->count == 0)
        return (gm_cli_summary){0};
    qsort(times->items, times->count, sizeof *times->items, compare_times);
    uint64_t total = 0;
    for (size_t i = 0; i < times->count; i++)
        total += times->items[i];
    return (gm_cli_summary){
        .median_us = (double)times->items[times->count / 2] / 1e3,
        .p99_us = (double)times->items[(times->count - 1) * 99 / 100] / 1e3,
        .max_us = (double)times->items[times->count - 1] / 1e3,
        .total_us = (double)total / 1e3,
    };
}

/* ---- progress ---- */

enum { BAR_WIDTH = 30 };

gm_cli_progress gm_cli_progress_start(void)
{
    return (gm_cli_progress){.started_ns = gm_cli_now_ns(),
                             .is_terminal = isatty(STDERR_FILENO) != 0,
                             .shares_screen = isatty(STDOUT_FILENO) != 0};
}

void gm_cli_progress_show(gm_cli_progress *progress, size_t done, size_t total, const char *unit, uint64_t tokens)
{
    if (!progress->is_terminal)
        return;
    const uint64_t now = gm_cli_now_ns();
    if (now - progress->started_ns < 500000000u || now - progress->drawn_ns < 100000000u)
        return;
    progress->drawn_ns = now;
    progress->is_visible = true;
    const size_t filled = total != 0 ? done * BAR_WIDTH / total : 0;
    fputs("\r[", stderr);
    for (size_t i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '#' : '.', stderr);
    fprintf(stderr, "] %zu of %zu %s, %llu tokens", done, total, unit, (unsigned long long)tokens);
    fflush(stderr);
}

void gm_cli_progress_hide(gm_cli_progress *progress)
{
    if (!progress->is_visible)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->is_visible = false;
}

void gm_cli_progress_make_room(gm_cli_progress *progress)
{
    if (progress->shares_screen)
        gm_cli_progress_hide(progress);
}
