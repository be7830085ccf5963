"""Programs at random, and slow engines that the matcher is held against."""
