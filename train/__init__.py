"""train: pages with gold to models.

Consumes gold pages or a data set. Produces the shipped models, a custom model, or a retrained system of the
literature.
"""
