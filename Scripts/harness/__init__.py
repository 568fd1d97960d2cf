"""What the benchmarks and the torture have in common."""
