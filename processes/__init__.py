"""processes: run work in other processes, with time limits and progress reports; what this process spends besides.

Consumes picklable functions and their arguments. Produces their results, or the reason why there is none.
"""
