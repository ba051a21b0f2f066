"""classify.systems.learning: the tools of systems that learn.

Consumes rows with labels. Produces plain numbers that a system keeps as its model.
"""
