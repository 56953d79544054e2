"""Points of a curve that a list names: written in the list, or data of the user's own that only the session has."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from secrets import token_hex

import numpy as np

from dpcore import tradeoff
from dpcore.checks import Array
from dpcore.readers import read_curve_points
from pages.framework.parameters import kinds

MOST_LINKED_POINTS = 100


@dataclass(frozen=True, eq=False)
class Points:
    """Points of a curve. Each lot equals itself alone, so that what is made of it can be kept under it."""

    alpha: Array
    beta: Array


Held = Mapping[str, Points]  # the points of the user's own that no link has, by their name in the list
_NAME = "file"


def new_name() -> str:
    """Return a name for points in the session, from which nothing of them can be told."""
    return f"{_NAME}{token_hex(8)}"


def is_in_session(listed: str) -> bool:
    """Whether an entry names points of the session, in the place of points."""
    return listed.startswith(_NAME)


def points_of(listed: str, held: Held) -> Points:
    """The points of an entry: those written in it, or those that the session has under that name."""
    if not is_in_session(listed):
        return linked_points(listed)
    if listed not in held:
        raise ValueError("its points are somebody's own data, which the link does not contain: bring them again")
    return held[listed]


def written_points(points: Points) -> str:
    """Points as a text for the link."""
    pairs = zip(points.alpha.tolist(), points.beta.tolist(), strict=True)
    return "~".join(f"{alpha!r}_{beta!r}" for alpha, beta in pairs)


def points_of_file(data: bytes, _: object) -> Points:
    """The points in a file or text or, where they are too many for a link, the corners of their hull."""
    alpha, beta = read_curve_points(data)
    hull = tradeoff.points_curve(alpha, beta, "the points", hull=True)
    if alpha.size > MOST_LINKED_POINTS and hull.lines is not None:  # only the corners of the hull matter
        alpha, _, beta, _ = hull.lines.vertices()
    return Points(alpha, beta)


def points_of_copy(texts: Mapping[str, str], _: object) -> dict[str, Points]:
    """Return the points of each text of the copy that a browser kept; ValueError if a text lists none."""
    return {name: points_of_text(text) for name, text in texts.items()}


@lru_cache(64)
def linked_points(listed: str) -> Points:
    """Return the points that the text of a link lists, the same lot for the same text.

    Those that only the session has are not read by it: the process would keep them after the session.
    """
    return points_of_text(listed)


def points_of_text(listed: str) -> Points:
    """Return the points that a text lists; ValueError with a sentence if it lists none."""
    try:
        pairs = [[float(part) for part in pair.split("_")] for pair in listed.split("~")]
        alpha, beta = np.array(pairs).T
    except ValueError:
        given = kinds.shown(listed) or "nothing"
        raise ValueError(f"points are written alpha_beta~alpha_beta; {given} was given") from None
    if alpha.size < 2:
        raise ValueError("there must be at least 2 points, and 1 was given")
    return Points(alpha, beta)
