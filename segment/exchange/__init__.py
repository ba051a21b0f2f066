"""segment.exchange: segmentations in the forms of other programs.

Consumes blocks, and files of others. Produces files, and blocks or segments of them.
"""
