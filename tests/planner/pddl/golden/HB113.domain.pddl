(define (domain park)
  (:types car place)
  (:constants home - palace)
  (:predicates (at ?car - car ?place - place))
  (:functions (total-cost) (way ?from ?to - plce))
  (:action drive
    :parameters (?car - car ?from ?to - place ?key - key)
    :precondition (and (at ?caar ?from) (att ?car ?from) (not (= ?to work)))
    :effect (and (not (at ?car ?from)) (at ?car ?to) (increase (total-cost) (weigh ?from ?to))))
  (:action rest
    :parameters (?car - car)
    :effect (increase (total-cost) (total-cost))))
