"""inspector: view pages with their predictions, label them, and train on the labels.

Consumes pages, and labels from a browser. Produces labels and models. ``server/`` is the backend of ``static/``.
"""
