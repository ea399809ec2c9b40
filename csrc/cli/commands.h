/*
 * cli/commands.h - the commands, each defined in the file of its name.
 */
#ifndef GM_CLI_COMMANDS_H
#define GM_CLI_COMMANDS_H

#include "cli/options.h"

extern const gm_cli_command gm_cli_generate;
extern const gm_cli_command gm_cli_check;
extern const gm_cli_command gm_cli_check_schema;
extern const gm_cli_command gm_cli_vocab;
extern const gm_cli_command gm_cli_explain;
extern const gm_cli_command gm_cli_bench;
extern const gm_cli_command gm_cli_bench_serve;  /* "bench serve", in serve.c; started by bench */
extern const gm_cli_command gm_cli_bench_growth; /* "bench growth", in growth.c; likewise */

#endif
