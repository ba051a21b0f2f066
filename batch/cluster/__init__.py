"""batch.cluster: a run that many processes do, on one computer or several."""
