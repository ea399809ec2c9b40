/*
 * machine/build.h - building under the lock: the half of the machine that matchers do not see.
 */
#ifndef GM_MACHINE_BUILD_H
#define GM_MACHINE_BUILD_H

#include "machine/machine.h"

/* L >= grow, both; NULL = out of memory. */
const gm_place *gm_machine_place_locked(gm_machine *machine, const gm_formula *labels, uint32_t count);
const gm_lexical *gm_machine_lexical_locked(gm_machine *machine, bool is_text, const gm_strand *strands,
                                            uint32_t count);

#endif
