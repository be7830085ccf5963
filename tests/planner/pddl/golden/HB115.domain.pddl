(define (domain park)
  (:types car place car)
  (:types garage)
  (:constants home home - place)
  (:predicates (at ?car ?place) (at ?car) (= ?x ?y))
  (:action drive
    :parameters (?car ?car)
    :precondition (at ?car home)
    :precondition (at ?car home)
    :effect (and (at ?car home) (forall (?car) (at ?car home)) (increase (total-cost) 1) (increase (total-cost) 2)))
  (:action drive
    :effect (and)))
