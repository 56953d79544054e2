"""The record of an invitation: what others open on their phones, such as the question to a class."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Invitation:
    """A link that others open on their phones, with its QR code, words in Markdown above it, and a note below it.

    The buttons send the keys of `actions` in a request, as its `act`. `link` is relative to the page, empty without
    one. `{link}/question` answers with `round`, `open` and `reports`; where these are not `state`, the page is drawn
    anew.
    """

    words: str
    actions: Sequence[tuple[str, str]]
    link: str = ""
    state: tuple[int, bool, int] = (0, False, 0)
    note: str = ""
