"""Where the layout leaves in doubt whether a text is seen: two pictures of the window, with the text and without it."""

from __future__ import annotations

import asyncio
import base64
import io
import time
from collections import Counter
from collections.abc import Iterator, Set
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....page.arrays import between
from ...devtools.channel import Channel, CommandFailed
from ..pending_page import PendingPage, PixelResult
from ..pixel_diff import Picture, is_partly_legible, legible
from .injected import Box, InjectedScript, Shown
from .window_capture import FRAME_SECONDS, HELD_SECONDS, shoot

#: Positions of the page that are looked at, at most, seconds for it, and their share of the time that is left.
MOST_LOOKS, MOST_SECONDS, MOST_SHARE = 40, 12.0, 0.5
#: Texts that are looked at, at most: of those that look alike, and of all.
MOST_ALIKE, MOST_TEXTS = 12, 600
#: So many lines that look alike and agree stand for the others.
ENOUGH = 4
#: So many of one doubt and one style that agree stand for those that are left: pictures are dear.
MANY = 6
#: After so many looks a page that still has doubtful texts has had its turn: they are not believed.
FAIR = 8
#: Windows higher than this, in device pixels, are not pictured.
HIGHEST = 6000
#: Words narrower than this, in heights of their line, may be no words.
NARROW = 0.8
#: Seconds after which a picture that has not come is not waited for any more, nor any other.
PATIENCE = 8.0
#: A picture that nobody looks at.
_PLAIN: dict[str, Any] = {"format": "jpeg", "quality": 1}
#: Rounds in which texts that lie over each other are taken out one after the other.
_ROUNDS = 4


#: Numbers that doubts of one kind have in common.
Kind = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _WindowLine:
    """A line in the window, whose it is, and where."""

    line: int
    row: int
    box: Box


class PixelCheck:
    """Looks at the doubtful lines of a page that stands still.

    Parameters
    ----------
    channel : Channel
        To the page.
    draft : PendingPage
    reply : dict
        The snapshot of which the draft was made.
    window : tuple of float
        Width and height of the page's window, in CSS pixels.
    scale : float
        Device pixels a CSS pixel.
    seconds : float
        For all of it.
    held : bool
        Whether the browser has drawn no frame lately.
    """

    def __init__(
        self,
        channel: Channel,
        draft: PendingPage,
        reply: dict[str, Any],
        *,
        window: tuple[float, float],
        scale: float,
        seconds: float,
        held: bool = False,
    ) -> None:
        self._channel, self._draft = channel, draft
        self._eye = InjectedScript(channel, draft, reply)
        self._window = window
        self._too_high = window[1] * scale > HIGHEST
        self._scale = scale
        self._deadline = time.monotonic() + seconds
        self._held = held
        self._seen: dict[int, bool] = {}
        #: Of lines of which only some is seen: which of their words are, by how many characters come before each.
        self._words: dict[int, dict[int, bool]] = {}
        self._pending: dict[int, list[int]] = {}

    @property
    def _left(self) -> float:
        return max(self._deadline - time.monotonic(), 0.0)

    async def look(self) -> PixelResult:
        """Return which of the doubtful lines that could be looked at are seen."""
        if self._too_high:
            return PixelResult()
        chosen, looks, found, over = self._chosen(), 0, set[int](), False
        with suppress(TimeoutError, CommandFailed):
            found = await self._eye.open(chosen, self._left)
            if self._held or not await self._eye.draws(min(self._left, FRAME_SECONDS)):
                # Without frames there are no pictures; if the clock does not bring one, nothing does.
                await shoot(self._channel, _PLAIN, min(self._left, HELD_SECONDS), held=True)
            self._pending = {row: lines for row, lines in chosen.items() if row in found}
            while self._pending and looks < MOST_LOOKS and self._left > 0:
                looks += await self._look_for(self._next())
            over = True
        self._settle_alike()
        # A browser that has given no more answers although there was time is another matter.
        if (over or not self._left) and looks >= FAIR:
            self._disbelieve(chosen.keys() - found)
        return PixelResult(
            lines=self._seen, parts={line: words for line, words in self._words.items() if self._seen[line]}
        )

    # -- which texts ----------------------------------------------------------------------------------------------

    def _chosen(self) -> dict[int, list[int]]:
        """Return the doubtful lines of each text that is looked at; of many that look alike only some.

        Kinds of doubt take turns, so that one of which there is much does not use up what there is for the others.
        """
        sight, node = self._draft.sight, self._draft.geometry.line_node
        taken: dict[int, int] = {}
        chosen: dict[int, list[int]] = {}
        turn: Counter[Kind] = Counter()
        order = []
        for line in np.flatnonzero(sight.doubtful).tolist():
            order.append((turn[self._kind(line)] // ENOUGH, line))
            turn[self._kind(line)] += 1
        for _, line in sorted(order):
            row, group = int(node[line]), int(sight.alike[line])
            if row not in chosen:
                taken[group] = taken.get(group, 0) + 1
                if (group >= 0 and taken[group] > MOST_ALIKE) or len(chosen) >= MOST_TEXTS:
                    continue
            chosen.setdefault(row, []).append(line)
        return chosen

    def _next(self) -> int:
        """Return the text to look for next: one of which nothing alike has been seen yet, if there is any."""
        alike = self._draft.sight.alike
        known = {int(alike[line]) for line in self._seen}
        fresh = (row for row, lines in self._pending.items() if int(alike[lines[0]]) not in known)
        return next(fresh, next(iter(self._pending)))

    def _agreed(self, least: int) -> dict[int, bool]:
        """Return what lines that look alike agree on, where at least so many have been looked at."""
        votes: dict[int, list[bool]] = {}
        for line, seen in self._seen.items():
            votes.setdefault(int(self._draft.sight.alike[line]), []).extend(self._votes(line, seen))
        votes.pop(-1, None)
        return {group: all(found) for group, found in votes.items() if len(found) >= least and len(set(found)) == 1}

    def _votes(self, line: int, seen: bool) -> list[bool]:
        """Return what a line says of those like it: one that is seen in part agrees with none."""
        return [True, False] if line in self._words else [seen]

    def _kind(self, line: int) -> Kind:
        """Return what is doubted of a line, what the layout says, and the styles of the line and of what covers it."""
        draft, sight = self._draft, self._draft.sight
        styles, over = draft.styles.row, int(sight.over[line])
        cover = -1 if over < 0 else ~over - 1 if draft.is_picture(over) else int(styles[over])
        return int(sight.guess[line]), int(sight.reason[line]), int(styles[draft.geometry.line_node[line]]), cover

    def _settle_alike(self) -> None:
        """Let lines that have been looked at stand for those that look alike.

        Where there were too many to look at all, they stand for those of their kind if all of them agree.
        """
        sight, agreed = self._draft.sight, self._agreed(1)
        for line in np.flatnonzero(sight.doubtful & np.isin(sight.alike, list(agreed))).tolist():
            self._seen.setdefault(line, agreed[int(sight.alike[line])])
        kinds = self._agreed_kinds()
        for line in np.flatnonzero(sight.doubtful).tolist():
            if (kind := self._kind(line)) in kinds:
                self._seen.setdefault(line, kinds[kind])

    def _disbelieve(self, out_of_reach: Set[int]) -> None:
        """Take what is left for unseen: whoever pads a page with doubts shall gain nothing."""
        sight, node = self._draft.sight, self._draft.geometry.line_node
        for line in np.flatnonzero(sight.doubtful).tolist():
            if int(node[line]) not in out_of_reach:
                self._seen.setdefault(line, False)

    def _agreed_kinds(self) -> dict[Kind, bool]:
        """Return what lines of one kind agree on, where many have been looked at; of drawings the kind says nothing."""
        votes: dict[Kind, list[bool]] = {}
        node = self._draft.geometry.line_node
        for line, seen in self._seen.items():
            if self._draft.is_drawn(int(node[line])):
                continue
            votes.setdefault(self._kind(line), []).extend(self._votes(line, seen))
        return {kind: found[0] for kind, found in votes.items() if len(found) >= MANY and len(set(found)) == 1}

    def _drop_settled(self) -> None:
        """Look no more for what has been judged, nor for what enough lines like it agree on."""
        alike, settled, kinds = self._draft.sight.alike, self._agreed(ENOUGH), self._agreed_kinds()
        left = {
            row: [
                line
                for line in lines
                if line not in self._seen and int(alike[line]) not in settled and self._kind(line) not in kinds
            ]
            for row, lines in self._pending.items()
        }
        self._pending = {row: lines for row, lines in left.items() if lines}

    # -- looking ---------------------------------------------------------------------------------------------------

    async def _look_for(self, row: int) -> int:
        """Bring a text into view and judge all that are in view with it; return how often was looked."""
        looks = 0
        for where in self._wheres(row):
            moved = await self._eye.bring(row, where, self._left)
            lines = list(self._in_view(await self._eye.look(self._left), row))
            if moved and lines:
                # The first picture after something has moved may still show it where it was.
                await self._shoot(_PLAIN)
            await self._judge(lines)
            looks += 1
            if all(self._seen.get(line, False) for line in self._pending[row]):
                break
        for line in self._pending.pop(row):
            self._seen.setdefault(line, False)
        self._drop_settled()
        return looks

    def _wheres(self, row: int) -> tuple[float, ...]:
        """Return where in the window to look for a text: what is stuck may cover it in one place and not in another."""
        if self._draft.is_fixed(row):
            return (0.0, 1.0, 0.5)
        over = {one for one in self._draft.sight.over[self._pending[row]].tolist() if one >= 0}
        # What fills the window covers a text wherever it stands.
        return (0.5, 0.1, 0.9) if any(self._draft.is_stuck(one) and not self._fills(one) for one in over) else (0.5,)

    def _fills(self, row: int) -> bool:
        """Return whether a node is a plain ground as large as the window, and stays there."""
        draft = self._draft
        left, top, wide, high = draft.geometry.box[row].tolist()
        plain = (draft.geometry.background[row] & 0xFF) == 0xFF and not draft.is_picture(row)
        large = left <= 0 and top <= 0 and left + wide >= self._window[0] and top + high >= self._window[1]
        return bool(plain and large and draft.is_fixed(row))

    def _in_view(self, shown: list[Shown], target: int) -> Iterator[_WindowLine]:
        """Yield the doubtful lines that are in the window; their boxes come in the order of the lines."""
        node = self._draft.geometry.line_node
        for one in shown:
            first, last = between(node, one.row, one.row + 1)
            for line in self._pending.get(one.row, ()):
                place = (line - first) * len(one.boxes) // max(last - first, 1)
                if one.row == target or one.whole[place]:
                    yield _WindowLine(line=line, row=one.row, box=one.boxes[place])

    async def _judge(self, lines: list[_WindowLine]) -> None:
        """Judge lines, those that lie over each other one after the other; what seems unseen is looked at twice."""
        rounds = [members for members in _rounds(lines) if self._cut(members)]
        cut = self._cut([one for members in rounds for one in members])
        if cut is None:
            return
        # The page stands still: all its texts together look the same in each round.
        before = await self._picture(cut)
        for members in rounds:
            unseen = await self._compared(members, before, cut)
            if again := self._cut(unseen):
                await self._compared(unseen, await self._picture(again), again)

    async def _compared(self, lines: list[_WindowLine], before: Picture, cut: Box) -> list[_WindowLine]:
        """Compare a part of the window line by line with a picture of it without some texts; give what is unseen."""
        await self._eye.hide({one.row for one in lines}, self._left)
        after = await self._picture(cut)
        await self._eye.show(self._left)
        for one in lines:
            letters = any(character.isalnum() for character in self._draft.line_text(one.line))
            box = [(edge - start) * self._scale for edge, start in zip(one.box, (cut[:2] * 2), strict=True)]
            partly = letters and not self._draft.is_drawn(one.row) and is_partly_legible(before, after, box)
            found = (
                await self._read(one, before, after, cut) if partly else legible(before, after, box, letters=letters)
            )
            if found and not partly:
                self._words.pop(one.line, None)
            self._seen[one.line] = self._seen.get(one.line, False) or found
        return [one for one in lines if not self._seen[one.line]]

    async def _read(self, one: _WindowLine, before: Picture, after: Picture, cut: Box) -> bool:
        """Judge a line word by word; return whether any is seen."""
        known = self._words.setdefault(one.line, {})
        low, high = one.box[1], one.box[3]
        seen = True
        for place, boxes in await self._eye.words(one.row, self._left):
            for box in boxes:
                if low <= (box[1] + box[3]) / 2 <= high and box[2] > box[0]:
                    inside = [(edge - start) * self._scale for edge, start in zip(box, (cut[:2] * 2), strict=True)]
                    # Of a dash or a full stop no picture tells: it goes with the word before it.
                    narrow = box[2] - box[0] < NARROW * (high - low)
                    seen = legible(before, after, inside) or (seen and narrow)
                    known[place] = known.get(place, False) or seen
        if all(known.values()):
            self._words.pop(one.line)
        return any(known.values())

    def _cut(self, lines: list[_WindowLine]) -> Box | None:
        """Return the part of the window, in whole CSS pixels, that holds some lines; None where they are not in it."""
        edges = np.asarray([one.box for one in lines], dtype=np.float64).reshape(-1, 4)
        least = np.floor(edges[:, :2].min(axis=0, initial=np.inf))
        most = np.ceil(edges[:, 2:].max(axis=0, initial=-np.inf))
        least, most = np.maximum(least, 0.0), np.minimum(most, self._window)
        return (*least.tolist(), *most.tolist()) if (most > least).all() else None

    async def _picture(self, cut: Box) -> Picture:
        """Take a picture of a part of the window.

        Only what is read is a part: the browser, asked for one while the page's clock stands, may never answer again.
        """
        from PIL import Image

        shot = await self._shoot({"format": "png"})

        def read() -> Picture:
            with Image.open(io.BytesIO(base64.b64decode(shot))) as image:
                left, top, right, bottom = (round(edge * self._scale) for edge in cut)
                return np.asarray(image.crop((left, top, right, bottom)).convert("RGB"), dtype=np.int16)

        return await asyncio.to_thread(read)

    async def _shoot(self, wanted: dict[str, Any]) -> str:
        """Take a picture of the window; a browser that has not finished one for long never will."""
        return await shoot(self._channel, wanted | {"optimizeForSpeed": True}, min(self._left, PATIENCE))


def _rounds(lines: list[_WindowLine]) -> list[list[_WindowLine]]:
    """Part lines so that those of one round do not lie over each other; what finds no round is not judged."""
    rounds: list[list[_WindowLine]] = []
    for one in lines:
        free = (members for members in rounds if not any(_overlap(one, other) for other in members))
        members = next(free, None)
        if members is not None:
            members.append(one)
        elif len(rounds) < _ROUNDS:
            rounds.append([one])
    return rounds


def _overlap(one: _WindowLine, other: _WindowLine) -> bool:
    """Whether lines of two texts lie over each other; those of one text are taken out together."""
    wide = min(one.box[2], other.box[2]) - max(one.box[0], other.box[0])
    high = min(one.box[3], other.box[3]) - max(one.box[1], other.box[1])
    return one.row != other.row and wide > 2 and high > 0.3 * min(one.box[3] - one.box[1], other.box[3] - other.box[1])
