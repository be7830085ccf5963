/* Queries compiled rules for one state: facts on the input, one per line: the relation and its
 * values, with a tab before each value.
 *
 *     ./example < example.facts
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hornbook_rules.h"

#define MOST 64 /* columns of a relation */

static const char* const SAID[] = {"", "arithmetic left 64 bits", "two facts have one key",
                                   "a set has more members than its count says", "there is no memory",
                                   "another number of columns"};

static int failed(const char* what, const char* which) {
    fprintf(stderr, "example: %s%s%s\n", what, *which ? ": " : "", which);
    return 2;
}

static void print_value(const hornbook_matcher* matcher, int is_word, int64_t value) {
    if (is_word) {
        printf("%s", hornbook_word(matcher, value));
    } else {
        printf("%lld", (long long)value);
    }
}

int main(void) {
    char line[4096];
    int32_t status;
    int64_t answer, answers;
    hornbook_matcher* matcher = hornbook_open();
    if (matcher == NULL) {
        return failed(SAID[HORNBOOK_NO_MEMORY], "");
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        int64_t cells[MOST];
        const int64_t* columns[MOST];
        int32_t relation, width = 0;
        const char* value = strtok(line, "\t\r\n");
        if (value == NULL) {
            continue;
        }
        relation = hornbook_relation(value);
        if (relation < 0) {
            return failed("no such relation", value);
        }
        while ((value = strtok(NULL, "\t\r\n")) != NULL && width < MOST) {
            int is_word = hornbook_relation_is_word(relation, width) == 1;
            cells[width] = is_word ? hornbook_code(matcher, value) : strtoll(value, NULL, 10);
            columns[width] = &cells[width];
            ++width;
        }
        status = hornbook_add(matcher, relation, columns, width, 1);
        if (status != HORNBOOK_OK) {
            return failed(SAID[status], hornbook_relation_name(relation));
        }
    }
    status = hornbook_solve(matcher);
    if (status != HORNBOOK_OK) {
        return failed(SAID[status], "");
    }
    answers = hornbook_answers(matcher);
    for (answer = 0; answer < answers; ++answer) {
        int32_t rule = hornbook_answer_rule(matcher, answer), each;
        const int64_t* values = hornbook_answer_values(matcher, answer);
        printf("%s: %s:", hornbook_rule_name(rule), hornbook_rule_says(rule));
        for (each = 0; each < hornbook_rule_variables(rule); ++each) {
            printf(" ?%s = ", hornbook_rule_variable(rule, each));
            print_value(matcher, hornbook_rule_variable_is_word(rule, each), values[each]);
        }
        printf("\n");
    }
    hornbook_close(matcher);
    return answers == 0;
}
