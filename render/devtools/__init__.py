"""render.devtools: the Chrome DevTools Protocol over a pipe.

Consumes commands and scripts. Produces replies and events.
"""
