/*
 * lex/parts.c - what a union is made of: see text.h.
 *
 * A term and a union that it is a member of are different states, though whatever may follow the one
 * may follow the other. Who asks whether a text can go on need not walk through all unions that a part stays
 * a member of.
 */
#include "lex/term.h"

size_t gm_text_parts(gm_text *text, gm_term term, gm_term *parts, size_t room)
{
    size_t count = 0;
    gm_lock_acquire(&text->lock);
    const gm_term_node node = gm_term_at(text, term);
    if (node.kind != GM_KIND_UNION)
        parts[count++] = term;
    for (uint32_t i = 0; node.kind == GM_KIND_UNION && i < node.a && count < room; i++)
        if (gm_term_at(text, node.list[i]).plain)
            parts[count++] = node.list[i];
    gm_lock_release(&text->lock);
    return count;
}

bool gm_text_has_part(gm_text *text, gm_term term, gm_term part)
{
    bool found = term == part;
    gm_lock_acquire(&text->lock);
    const gm_term_node node = gm_term_at(text, term);
    for (uint32_t i = 0; node.kind == GM_KIND_UNION && i < node.a && !found; i++)
        found = node.list[i] == part;
    gm_lock_release(&text->lock);
    return found;
}
