/* stub */
#include "lex/unicode.h"
gm_property_result gm_unicode_property(const gm_allocator *allocator, gm_bytes name, gm_bytes value, gm_ranges *ranges)
{ (void)allocator; (void)name; (void)value; (void)ranges; return GM_PROPERTY_UNKNOWN; }
bool gm_unicode_is_id_start(uint32_t c) { return c >= 0x80; }
bool gm_unicode_is_id_continue(uint32_t c) { return c >= 0x80; }
