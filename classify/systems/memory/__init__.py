"""classify.systems.memory: what the pages of one site have in common.

Consumes pages of a site. Produces marks on the text that recurs.
"""
