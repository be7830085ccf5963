/* Rules compiled with Hornbook: the rules that answer in a state, with the values of their variables.
 *
 * A matcher serves one thread at a time; several matchers can work in parallel. No function prints, exits or
 * throws. Texts are UTF-8; returned texts belong to the library, and are valid as long as it is loaded (those
 * of `hornbook_word` as long as the matcher is open). This header changes only with HORNBOOK_RULES_VERSION.
 */
#ifndef HORNBOOK_RULES_H
#define HORNBOOK_RULES_H

#include <stdint.h>

#define HORNBOOK_RULES_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define HORNBOOK_API __declspec(dllexport)
#else
#define HORNBOOK_API __attribute__((visibility("default")))
#endif

typedef struct hornbook_matcher hornbook_matcher;

enum {
    HORNBOOK_OK = 0,
    HORNBOOK_OVERFLOW = 1,     /* arithmetic left 64 bits: the answers are unknown */
    HORNBOOK_CONFLICT = 2,     /* two facts of a relation have the same key */
    HORNBOOK_OVERFULL = 3,     /* a set has more members than its count */
    HORNBOOK_NO_MEMORY = 4,
    HORNBOOK_BAD_ARGUMENT = 5  /* no such relation, wrong number of columns, or wrong order of calls */
};

/* The compiled rules */
HORNBOOK_API int32_t hornbook_version(void);          /* HORNBOOK_RULES_VERSION at compile time */
HORNBOOK_API const char* hornbook_fingerprint(void);  /* equal for equal rules of the same theory */

/* Relations have numbers from 0; -1 is returned for an unknown name. The relation of queries is "asked GAME",
 * such as "asked take". */
HORNBOOK_API int32_t hornbook_relations(void);
HORNBOOK_API int32_t hornbook_relation(const char* name);
HORNBOOK_API const char* hornbook_relation_name(int32_t relation);
HORNBOOK_API int32_t hornbook_relation_columns(int32_t relation);
HORNBOOK_API int32_t hornbook_relation_is_word(int32_t relation, int32_t column); /* 1: codes of words; 0: numbers */

/* Rules have numbers from 0, in the order in which they were learned. */
HORNBOOK_API int32_t hornbook_rules(void);
HORNBOOK_API const char* hornbook_rule_name(int32_t rule);
HORNBOOK_API const char* hornbook_rule_says(int32_t rule); /* its conclusion, as text with variables */
HORNBOOK_API int32_t hornbook_rule_variables(int32_t rule);
HORNBOOK_API const char* hornbook_rule_variable(int32_t rule, int32_t variable);
HORNBOOK_API int32_t hornbook_rule_variable_is_word(int32_t rule, int32_t variable);

/* A matcher; NULL if memory is insufficient. */
HORNBOOK_API hornbook_matcher* hornbook_open(void);
HORNBOOK_API void hornbook_close(hornbook_matcher* matcher);

/* Words have codes from 0. An unknown word gets the next code; -1 if memory is insufficient. */
HORNBOOK_API int64_t hornbook_code(hornbook_matcher* matcher, const char* word);
HORNBOOK_API const char* hornbook_word(const hornbook_matcher* matcher, int64_t code); /* NULL if there is none */

/* A state: clear the last one, add facts, solve. Each function returns HORNBOOK_OK or another of the above; an
 * error persists until the state is cleared, and there are no answers until then. Facts of the theory are always
 * present; a fact may be added repeatedly. After `hornbook_solve` no fact can be added before the state is
 * cleared. */
HORNBOOK_API int32_t hornbook_clear(hornbook_matcher* matcher);
HORNBOOK_API int32_t hornbook_add(hornbook_matcher* matcher, int32_t relation, const int64_t* const* columns,
                                  int32_t number_of_columns, int64_t rows);
/* Likewise for many relations: `facts` consists of groups with a relation, a number of facts, and their cells,
 * fact by fact; `length` is the number of all these integers. */
HORNBOOK_API int32_t hornbook_read(hornbook_matcher* matcher, const int64_t* facts, int64_t length);
HORNBOOK_API int32_t hornbook_solve(hornbook_matcher* matcher);

/* Facts that many states share, such as those of a board, need to be added only once: `hornbook_keep` makes the
 * current facts persist when a state is cleared, until `hornbook_forget` removes them and the state. */
HORNBOOK_API int32_t hornbook_keep(hornbook_matcher* matcher);
HORNBOOK_API int32_t hornbook_forget(hornbook_matcher* matcher);

/* The answers of the last solve, by rule and then by the values of its variables. */
HORNBOOK_API int64_t hornbook_answers(const hornbook_matcher* matcher);
HORNBOOK_API int32_t hornbook_answer_rule(const hornbook_matcher* matcher, int64_t answer);
HORNBOOK_API const int64_t* hornbook_answer_values(const hornbook_matcher* matcher, int64_t answer); /* one per variable */

#ifdef __cplusplus
}
#endif

#endif
