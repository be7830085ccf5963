; A visitor walks through doors that open in one direction only. A door falls shut behind whoever enters a
; room for the first time. A lever locks the unlocked doors of its room, and unlocks the locked ones.
(define (domain doors)
  (:requirements :strips :typing :negative-preconditions :conditional-effects :equality :action-costs)
  (:types room door)
  (:constants entrance - room)
  (:predicates
    (in ?room - room)
    (visited ?room - room)
    (leads ?door - door ?from ?to - room)
    (lever ?room - room ?door - door)
    (locked ?door - door))
  (:functions (total-cost) - number (length ?door - door) - number)

  (:action walk
    :parameters (?door - door ?from ?to - room)
    :precondition (and (in ?from) (leads ?door ?from ?to) (not (locked ?door)) (not (= ?to entrance)))
    :effect (and (not (in ?from)) (in ?to) (visited ?to)
      (when (not (visited ?to)) (locked ?door))
      (increase (total-cost) (length ?door))))

  (:action pull
    :parameters (?room - room)
    :precondition (in ?room)
    :effect (and (increase (total-cost) 1)
      (forall (?door - door) (and
        (when (and (lever ?room ?door) (locked ?door)) (not (locked ?door)))
        (when (and (lever ?room ?door) (not (locked ?door))) (locked ?door)))))))
