"""Commands of the benchmarks, by what they measure."""
