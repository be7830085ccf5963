(define (domain park)
  (:requirements strips)
  (:types car - (place))
  (:predicates at (at 3 ?place) (- ?x) (closed ?place -) (shut - place))
  (:extras)
  (:actoin drive)
  wait
  (:action 7 :effect (at))
  (:action drive
    :parameters ?car
    :precondition (and at (not (at ?place) (closed ?place)) ((at)) (= ?car))
    :effects (at ?car)
    :effect (and (= ?car ?car) (not (not (at ?car))) (when (at ?car)) (forall ?place (at ?place)) (not)
      (increase (total-cost)) ?car))
  (:action stop
    :parameters (?car ?)
    :effect (and (at ? ?car) (at ())))
  (:action park :effect))
(define (domain more))
