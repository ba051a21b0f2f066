"""integrations: classes for programs that people already use, each of which needs that program's library.

Consumes sources or the HTML that another program has. Produces documents in the types of that program.
"""

from __future__ import annotations
