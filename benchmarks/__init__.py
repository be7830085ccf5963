"""What Hornbook costs: scripts that measure, and what they found (`results/`)."""
