"""The computed styles that a snapshot is requested with."""

from __future__ import annotations

#: Names of CSS properties. The browser computes each distinct style once, so one more property costs little.
STYLES = tuple(
    """
    display visibility opacity position position-anchor overflow-x overflow-y
    color background-color font-size font-weight font-style font-family font font-variant font-feature-settings
    font-variation-settings
    -webkit-text-fill-color -webkit-text-stroke-width -webkit-text-security
    text-decoration-thickness text-shadow column-rule-width direction writing-mode text-combine-upright
    background background-blend-mode content
    border-width border-color border-image-source border-image-outset border-radius
    outline-style outline-width box-shadow
    filter backdrop-filter -webkit-box-reflect mix-blend-mode mask-image -webkit-mask-box-image-source clip clip-path
    transform transform-style rotate scale translate perspective backface-visibility will-change
    contain content-visibility container-type overflow-clip-margin flex-direction
    scroll-snap-type scroll-snap-align z-index isolation color-scheme pointer-events cursor
    """.split()
)
