"""processes: run work in other processes, with time limits and progress; pause the garbage collector of this one.

Consumes picklable functions and their arguments. Produces their results, or the reason why there is none.
"""
