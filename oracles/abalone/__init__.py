"""A second, simple implementation of Abalone on coordinates, and random games with lost marbles."""
