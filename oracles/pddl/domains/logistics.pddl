; Trucks carry parcels within cities, and planes between airports.
(define (domain logistics)
  (:requirements :strips :typing :action-costs)
  (:types city place movable - object airport - place parcel vehicle - movable truck plane - vehicle)
  (:predicates (at ?movable - movable ?place - place) (within ?parcel - parcel ?vehicle - vehicle)
    (in-city ?place - place ?city - city))
  (:functions (total-cost) - number (distance ?from ?to - airport) - number)
  (:action load
    :parameters (?parcel - parcel ?vehicle - vehicle ?place - place)
    :precondition (and (at ?vehicle ?place) (at ?parcel ?place))
    :effect (and (not (at ?parcel ?place)) (within ?parcel ?vehicle) (increase (total-cost) 1)))
  (:action unload
    :parameters (?parcel - parcel ?vehicle - vehicle ?place - place)
    :precondition (and (at ?vehicle ?place) (within ?parcel ?vehicle))
    :effect (and (not (within ?parcel ?vehicle)) (at ?parcel ?place) (increase (total-cost) 1)))
  (:action drive
    :parameters (?truck - truck ?from ?to - place ?city - city)
    :precondition (and (at ?truck ?from) (in-city ?from ?city) (in-city ?to ?city))
    :effect (and (not (at ?truck ?from)) (at ?truck ?to) (increase (total-cost) 2)))
  (:action fly
    :parameters (?plane - plane ?from ?to - airport)
    :precondition (at ?plane ?from)
    :effect (and (not (at ?plane ?from)) (at ?plane ?to) (increase (total-cost) (distance ?from ?to)))))
