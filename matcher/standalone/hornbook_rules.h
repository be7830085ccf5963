/* Rules compiled with Hornbook: which of them answer in a state, and for what.
 *
 * A matcher serves one thread at a time; several matchers work side by side. No function prints, exits or throws.
 * Texts are UTF-8; those that functions return belong to the library, and last as long as it is loaded (those of
 * `hornbook_word` as long as the matcher is open). This header stays as it is while HORNBOOK_RULES_VERSION does.
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
    HORNBOOK_OVERFLOW = 1,     /* arithmetic left 64 bits: whether rules answer is unknown */
    HORNBOOK_CONFLICT = 2,     /* two facts of a relation have the same key */
    HORNBOOK_OVERFULL = 3,     /* a set has more members than its count says */
    HORNBOOK_NO_MEMORY = 4,
    HORNBOOK_BAD_ARGUMENT = 5  /* no such relation, another number of columns, or not now */
};

/* What was compiled */
HORNBOOK_API int32_t hornbook_version(void);          /* HORNBOOK_RULES_VERSION when the library was made */
HORNBOOK_API const char* hornbook_fingerprint(void);  /* the same for the same rules of the same theory */

/* Relations have numbers from 0; -1 is returned for a name that none has. What is asked about is the relation
 * "asked GAME", such as "asked take". */
HORNBOOK_API int32_t hornbook_relations(void);
HORNBOOK_API int32_t hornbook_relation(const char* name);
HORNBOOK_API const char* hornbook_relation_name(int32_t relation);
HORNBOOK_API int32_t hornbook_relation_columns(int32_t relation);
HORNBOOK_API int32_t hornbook_relation_is_word(int32_t relation, int32_t column); /* 1: words by their codes; 0: numbers */

/* Rules have numbers from 0, in the order in which they were learned. */
HORNBOOK_API int32_t hornbook_rules(void);
HORNBOOK_API const char* hornbook_rule_name(int32_t rule);
HORNBOOK_API const char* hornbook_rule_says(int32_t rule); /* its conclusion, as text with variables */
HORNBOOK_API int32_t hornbook_rule_variables(int32_t rule);
HORNBOOK_API const char* hornbook_rule_variable(int32_t rule, int32_t variable);
HORNBOOK_API int32_t hornbook_rule_variable_is_word(int32_t rule, int32_t variable);

/* A matcher; NULL without memory. */
HORNBOOK_API hornbook_matcher* hornbook_open(void);
HORNBOOK_API void hornbook_close(hornbook_matcher* matcher);

/* Words have codes from 0. A word that is not known gets the next code; -1 without memory. */
HORNBOOK_API int64_t hornbook_code(hornbook_matcher* matcher, const char* word);
HORNBOOK_API const char* hornbook_word(const hornbook_matcher* matcher, int64_t code); /* NULL where there is none */

/* A state: clear the last one, add facts, solve. Each function returns HORNBOOK_OK or another of the above; what went wrong
 * stays so until the state is cleared, and then there are no answers. Facts that the theory states are there always; the
 * same fact may be added again. After `hornbook_solve` nothing can be added before the state is cleared. */
HORNBOOK_API int32_t hornbook_clear(hornbook_matcher* matcher);
HORNBOOK_API int32_t hornbook_add(hornbook_matcher* matcher, int32_t relation, const int64_t* const* columns,
                                  int32_t number_of_columns, int64_t rows);
/* The same of many relations: `facts` has, again and again, a relation, a number of facts, and their cells, fact by fact;
 * `length` counts all of these integers. */
HORNBOOK_API int32_t hornbook_read(hornbook_matcher* matcher, const int64_t* facts, int64_t length);
HORNBOOK_API int32_t hornbook_solve(hornbook_matcher* matcher);

/* Facts that many states have in common, such as those of a board, need be added once: what was added so far stays when a
 * state is cleared, until it is forgotten, and the state with it. */
HORNBOOK_API int32_t hornbook_keep(hornbook_matcher* matcher);
HORNBOOK_API int32_t hornbook_forget(hornbook_matcher* matcher);

/* The answers of the last solve, by rule and then by the values of its variables. */
HORNBOOK_API int64_t hornbook_answers(const hornbook_matcher* matcher);
HORNBOOK_API int32_t hornbook_answer_rule(const hornbook_matcher* matcher, int64_t answer);
HORNBOOK_API const int64_t* hornbook_answer_values(const hornbook_matcher* matcher, int64_t answer); /* one a variable */

#ifdef __cplusplus
}
#endif

#endif
