"""batch.folder: what lies in the folder of a run, and how each of it is written."""
