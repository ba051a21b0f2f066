"""train: pages with gold to models.

Consumes gold pages or a data set. Produces the shipped models, a model of one's own, or a system of the literature
trained anew.
"""
