"""render.visibility: decide which text of a rendered page a person can see, and why the rest is hidden.

Consumes a layout snapshot with computed styles, and screenshots where geometry cannot decide. Produces the columns
``hidden`` and ``paint``. :mod:`.decide` lists the tests in their order.
"""
