"""integrations: classes for programs that people already use, which need that program's library.

Consumes the HTML that another program has. Produces documents in the types of that program.
"""

from __future__ import annotations
