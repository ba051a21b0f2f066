"""Posts of threads: who wrote them and when, by place, and the address of each."""
