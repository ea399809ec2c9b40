/*
 * form/blame.c - which node and which of its keywords a failure is told of. See expression.h.
 *
 * Only for messages: where several keywords work together, the one that most likely is at fault.
 */
#include "form/expression.h"

gm_node gm_form_node_of(const gm_forming *forming, gm_formula formula)
{
    const gm_formula_node *node = &forming->formulas.items[formula];
    while (node->kind == GM_FORMULA_AND || node->kind == GM_FORMULA_NOT) {
        uint32_t i = 0;
        while (i + 1 < node->count && forming->formulas.items[node->as.operands[i]].kind != GM_FORMULA_NODE)
            i++;
        node = &forming->formulas.items[node->as.operands[i]];
    }
    return node->kind == GM_FORMULA_NODE ? node->as.node : forming->blame;
}

gm_keyword gm_form_culprit(const gm_forming *forming, gm_keyword guess, gm_fault fault)
{
    enum { MOST = 11 };
    static const gm_keyword suspects[][MOST] = {
        [GM_FAULT_TEXT] = {GM_KW_PATTERN, GM_KW_FORMAT, GM_KW_NOT, GM_KW_ONE_OF, GM_KW_ALL_OF, GM_KW_ANY_OF, GM_KW_IF,
                           GM_KW_ENUM, GM_KW_CONST, GM_KW_REF, GM_KW_DYNAMIC_REF},
        [GM_FAULT_ALTERNATIVES] = {GM_KW_ONE_OF, GM_KW_ANY_OF, GM_KW_ALL_OF, GM_KW_IF, GM_KW_DEPENDENT_SCHEMAS,
                                   GM_KW_DEPENDENCIES, GM_KW_ENUM, GM_KW_CONST, GM_KW_NOT, GM_KW_REF,
                                   GM_KW_DYNAMIC_REF},
        [GM_FAULT_COMPLEMENT] = {GM_KW_UNIQUE_ITEMS, GM_KW_ITEMS, GM_KW_ADDITIONAL_PROPERTIES, GM_KW_PATTERN_PROPERTIES,
                                 GM_KW_PROPERTY_NAMES, GM_KW_FORMAT, GM_KW_PREFIX_ITEMS, GM_KW_UNEVALUATED_PROPERTIES,
                                 GM_KW_UNEVALUATED_ITEMS, GM_KW_PROPERTIES, GM_KW_REF},
    };
    gm_schema_keywords keywords;
    if (gm_schema_read(forming->schema, forming->blame, &keywords, NULL) != GM_OK)
        return GM_KW_COUNT;
    if (guess != GM_KW_COUNT && keywords.value[guess] != NULL)
        return guess;
    for (int i = 0; i < MOST; i++)
        if (keywords.value[suspects[fault][i]] != NULL)
            return suspects[fault][i];
    return GM_KW_COUNT;
}
