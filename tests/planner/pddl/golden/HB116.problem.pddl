(define (problem monday))
