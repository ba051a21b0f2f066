"""render.devtools: The Chrome DevTools Protocol over a pipe.

Consumes commands. Produces replies and events.
"""
