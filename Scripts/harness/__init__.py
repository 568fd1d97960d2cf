"""The code that the benchmarks and the torture tests share."""
