"""The learner and the checker: from one example to proved rules. Imports the language and the matcher."""
