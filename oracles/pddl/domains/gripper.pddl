; A robot with two hands carries balls between rooms.
(define (domain gripper)
  (:requirements :strips :typing)
  (:types room ball hand)
  (:constants left right - hand)
  (:predicates (robot-in ?room - room) (lies ?ball - ball ?room - room) (free ?hand - hand)
    (holds ?hand - hand ?ball - ball))
  (:action move
    :parameters (?from ?to - room)
    :precondition (robot-in ?from)
    :effect (and (not (robot-in ?from)) (robot-in ?to)))
  (:action grip
    :parameters (?ball - ball ?room - room ?hand - hand)
    :precondition (and (lies ?ball ?room) (robot-in ?room) (free ?hand))
    :effect (and (holds ?hand ?ball) (not (lies ?ball ?room)) (not (free ?hand))))
  (:action drop
    :parameters (?ball - ball ?room - room ?hand - hand)
    :precondition (and (holds ?hand ?ball) (robot-in ?room))
    :effect (and (lies ?ball ?room) (free ?hand) (not (holds ?hand ?ball)))))
