"""classify.systems.learning: training of systems.

Consumes rows with labels. Produces the parameters of a model.
"""
