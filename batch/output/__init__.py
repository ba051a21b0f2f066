"""batch.output: the output folder of a batch: row shards, ledger, WARC files and the lock.

Consumes rows and pages. Produces files that survive an interruption.
"""
