"""classify.systems.memory: recurring text on the pages of one site.

Consumes pages of a site. Produces marks of the recurring text.
"""
