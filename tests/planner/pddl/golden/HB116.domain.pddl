(define (domain park)
  (:predicates (at ?car))
  (:action)
  (:action drive :parameters (?car)))
