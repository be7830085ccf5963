"""The experiment of learning Go: from so many problems so many rules, and what these answer that nobody taught them.

Rules are learned from the first 10, 20, 50 and 100 captures that ship, and from all that ship, each time going on from the
rules that are there; after the hundred and after all, the learner goes on with problems that it makes for itself. Each rule
base then answers problems that it never saw: those that ship and come after the first hundred, and a set made from a seed of
its own. The commands are those that everybody has (`hornbook problems`, `learn`, `solve`, `score`), run one after the other in
processes of their own. Beside them stand what an answer costs, next to three searches, and why problems stay unanswered.

    python -m benchmarks.go.learning [--output benchmarks/results] [--work FOLDER] [--own N] [--failures N] [--quick]

Writes `go-learning.txt` and `go-learning.svg`. What the working folder holds already is not done again, as long as
neither the program nor what it is given has changed; so a run that was broken off goes on.
"""
