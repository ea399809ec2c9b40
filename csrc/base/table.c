/* base/table.c - see table.h. */
#include "base/table.h"

void gm_table_init(gm_table *table, const gm_allocator *allocator) { *table = (gm_table){.allocator = *allocator}; }

void gm_table_destroy(gm_table *table)
{
    gm_deallocate(&table->allocator, table->slots, table->capacity, sizeof *table->slots);
    table->slots = NULL;
    table->capacity = table->count = 0;
}

static void put(gm_table_slot *slots, size_t capacity, gm_table_slot slot)
{
    size_t at = slot.hash & (capacity - 1);
    while (slots[at].id_plus_one != 0)
        at = (at + 1) & (capacity - 1);
    slots[at] = slot;
}

static bool grow(gm_table *table)
{
    const size_t capacity = table->capacity == 0 ? 16 : table->capacity * 2;
    gm_table_slot *slots = gm_allocate_zeroed(&table->allocator, capacity, sizeof *slots);
    if (slots == NULL)
        return false;
    for (size_t i = 0; i < table->capacity; i++)
        if (table->slots[i].id_plus_one != 0)
            put(slots, capacity, table->slots[i]);
    gm_deallocate(&table->allocator, table->slots, table->capacity, sizeof *slots);
    table->slots = slots;
    table->capacity = capacity;
    return true;
}

bool gm_table_add(gm_table *table, uint64_t hash, uint32_t id)
{
    GM_ASSERT(id < UINT32_MAX);
    if ((table->count + 1) * 4 > table->capacity * 3 && !grow(table))
        return false;
    put(table->slots, table->capacity, (gm_table_slot){(uint32_t)(hash ^ hash >> 32), id + 1});
    table->count++;
    return true;
}
