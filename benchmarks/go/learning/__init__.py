"""Experiment of learning Go: the number of rules learned from problems, and their answers to unseen problems.

Rules are learned from the first 10, 20, 50 and 100 shipped captures, and from all shipped ones, each time
continuing with the existing rules. After the hundred and after all, the learner continues with problems that
it generates itself. Each rule base then answers problems that it never saw: the shipped ones after the first
hundred, and a set with its own seed. The experiment uses the public commands (`hornbook problems`, `learn`,
`solve`, `score`), run one after the other in separate processes. The report also compares the cost of an
answer with three searches, and explains unanswered problems.

Writes `go-learning.txt` and `go-learning.svg`. Results in the working folder are reused as long as neither
the program nor its input has changed, so an interrupted run continues.

Usage:

    python -m benchmarks.go.learning [--output benchmarks/results] [--work FOLDER] [--own N] [--failures N]
        [--quick]
"""
