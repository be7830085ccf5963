"""The learner and the checker: one example in, proved rules out. Imports the language and the matcher."""
