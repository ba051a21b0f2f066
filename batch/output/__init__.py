"""batch.output: the output folder of a batch: row shards, ledger and the lock.

Consumes rows and pages. Produces files that survive an interruption.
"""
