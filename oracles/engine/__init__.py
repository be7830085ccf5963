"""Random programs, and slow engines that the matcher is compared with."""
