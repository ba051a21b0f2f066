"""segment.vips: vision-based page segmentation (Cai, Yu, Wen, Ma 2003).

Consumes a page with geometry. Produces blocks with their degree of coherence, and the separators between them.
"""
