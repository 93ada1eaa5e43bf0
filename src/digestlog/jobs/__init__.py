"""Orders the steps: what happens next, and nothing else."""
