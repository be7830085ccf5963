; Two blocks stand in the wrong order. A shortest plan has six actions.
(define (problem tower)
  (:domain blocks)
  (:objects red green blue - block)
  (:init (on green red) (on-table red) (on-table blue) (clear green) (clear blue) (hand-empty))
  (:goal (and (on red green) (on green blue))))
