(define (domain park)
  (:types car - vehicle vehicle - car place - object garage - place)
  (:predicates (at ?car - car ?place - place) (full ?garage - garage))
  (:functions (total-cost) (way ?from ?to - place))
  (:action drive
    :parameters (?car - car ?from ?to - place)
    :precondition (and (at ?car ?from ?to) (at ?from ?car) (not (full ?to)))
    :effect (and (at ?car) (increase (total-cost) (way ?car ?to)))))
