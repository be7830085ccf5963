"""Problems of games: learning from them, answering them with learned rules, and judging rules."""
