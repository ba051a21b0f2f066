"""segment.vips: vision-based page segmentation (Cai, Yu, Wen, Ma 2003)."""
