"""segment.exchange: segmentations in the formats of other programs.

Consumes blocks, and files of other programs. Produces files, and blocks or segments from files.
"""
