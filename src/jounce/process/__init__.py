"""What one process shares: cache, threads, forks, memory, locks, progress. Knows no robot."""
