/* mask/digits.c - see digits.h. */
#include "mask/digits.h"

enum { MANY_STATES = 24 };

static const uint64_t every_digit = (uint64_t)0x3FF << '0';

static bool has_digits_only(const gm_branch *branch)
{
    return ((branch->below.ascii[0] & ~every_digit) | branch->below.ascii[1] | branch->below.lead) == 0 &&
           !branch->has_rests && branch->height < GM_MANY_DIGITS;
}

gm_digits gm_digits_of(const gm_trie *trie)
{
    gm_digits digits = {{{0}}, 0};
    const gm_branch *root = trie->branches;
    for (uint32_t at = root->children; at < root->children + gm_child_count(root); at++) {
        const gm_branch *branch = &trie->branches[at];
        const uint8_t byte = trie->bytes[at];
        if (byte < '0' || byte > '9' || !has_digits_only(branch))
            continue;
        digits.bytes.bits[0] |= (uint64_t)1 << byte;
        if (branch->height > digits.height)
            digits.height = branch->height;
    }
    return digits;
}

gm_byte_set gm_digits_bytes(const gm_digits *digits, gm_digits_kind kind)
{
    gm_byte_set bytes = digits->bytes;
    bytes.bits[0] &= kind == GM_DIGITS_ALL        ? every_digit
                     : kind == GM_DIGITS_FROM_ONE ? every_digit & (every_digit << 1)
                                                  : 0;
    return bytes;
}

/* Follows each state once. */
bool gm_digits_follow(gm_machine *machine, const gm_lexical *lexical, uint32_t most)
{
    const gm_lexical *states[MANY_STATES] = {lexical};
    uint32_t count = 1;
    for (uint32_t depth = 0, begin = 0; depth < most && begin < count; depth++) {
        const uint32_t end = count;
        for (; begin < end; begin++)
            for (uint8_t digit = '0'; digit <= '9'; digit++) {
                bool failed, known = false;
                const gm_lexical *next = gm_lexical_digit(machine, states[begin], gm_number_class(digit), &failed);
                for (uint32_t i = 0; i < count && !known; i++)
                    known = states[i] == next;
                if (next == NULL || (!known && count == MANY_STATES))
                    return false;
                if (!known)
                    states[count++] = next;
            }
    }
    return true;
}

gm_digits_kind gm_digits_apply(const gm_digits *digits, gm_machine *machine, const gm_config *config)
{
    const bool begins = config->mode == GM_MODE_VALUE;
    const gm_lexical *from = begins                           ? config->at.turn->place->number_start
                             : config->mode == GM_MODE_NUMBER ? config->as.text.lexical
                                                              : NULL;
    const gm_lexical *last = NULL;
    const bool gap_is_due = begins && machine->gaps.kind != GM_WHITESPACE_FLEXIBLE; /* or may be */
    if (from == NULL || gap_is_due || gm_config_is_watched(config))
        return GM_DIGITS_NONE;
    for (uint8_t digit = '9'; digit >= '0'; digit--) {
        bool failed;
        const gm_lexical *next = gm_lexical_digit(machine, from, gm_number_class(digit), &failed);
        const bool follow = next != NULL && (next == last || gm_digits_follow(machine, next, digits->height));
        if (!follow)
            return digit == '0' ? GM_DIGITS_FROM_ONE : GM_DIGITS_NONE;
        last = next;
    }
    return GM_DIGITS_ALL;
}
