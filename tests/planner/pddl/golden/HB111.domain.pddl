; Unsupported parts, each refused by its name.
(define (domain park)
  (:requirements :adl :durative-actions :numeric-fluents :strip)
  (:types car place - object)
  (:predicates (at ?car - car ?place - place) (open ?place - place))
  (:functions (total-cost) - number (fuel ?car - car) - number (next ?place - place) - place)
  (:durative-action wait :parameters (?car - car) :duration (= ?duration 3) :effect (at start (open ?car)))
  (:derived (free ?place - place) (forall (?car - car) (not (at ?car ?place))))
  (:action drive
    :parameters (?car - car ?from ?to - place)
    :precondition (and (at ?car ?from) (or (open ?from) (open ?to)) (imply (open ?from) (open ?to))
      (exists (?other - car) (at ?other ?to)) (forall (?other - car) (at ?other ?from))
      (not (and (open ?from) (open ?to))) (>= (fuel ?car) 1) (= (fuel ?car) 1) (at ?car (next ?from)))
    :effect (and (at ?car ?to) (decrease (fuel ?car) 1) (increase (fuel ?car) 2)
      (when (open ?to) (increase (total-cost) 1)) (oneof (open ?to) (open ?from))))
  (:action tow
    :parameters (?car - car ?to - place)
    :effect (and (at ?car ?to) (increase (total-cost) (+ 1 (fuel ?car)))))
  (:action push
    :parameters (?car - car ?to - place)
    :effect (and (at ?car ?to) (increase (total-cost) -2))))
