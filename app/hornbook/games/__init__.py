"""Problems of games: lessons from them, answers to them by learned rules, and the judgement of rules."""
