"""See a page as the program sees it, correct it, and let it learn from that.

Pages and labels are on one side, a person is on the other. ``server/`` speaks to the browser, ``static/`` runs in it.
"""
