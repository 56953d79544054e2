"""The points of a curve in the list: written in the list, or the user's own data that only the session has."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from secrets import token_hex

import numpy as np

from dpcore import tradeoff
from dpcore.checks import Array
from dpcore.readers import read_curve_points
from pages.framework.parameters.parameter import excerpt
from pages.framework.session.data_files import DataFiles, ReadData

MAX_LINKED_POINTS = 100


@dataclass(frozen=True, eq=False)
class Points:
    """Points of a curve. They are equal to themselves only, so that what depends on them can be cached by them."""

    alpha: Array
    beta: Array


SessionPoints = Mapping[str, Points]
"""The user's own points, which no link has, by their names in the list of curves."""
_NAME_PREFIX = "file"


def new_name() -> str:
    """Return a name for points in the session, which reveals nothing of them."""
    return f"{_NAME_PREFIX}{token_hex(8)}"


def is_session_name(text: str) -> bool:
    """Return whether the text of an entry is a name of points in the session, and not points."""
    return text.startswith(_NAME_PREFIX)


def points_of(text: str, session_points: SessionPoints) -> Points:
    """Return the points of an entry: those written in it, or those of the session under this name."""
    if not is_session_name(text):
        return linked_points(text)
    if text not in session_points:
        raise ValueError("its points are somebody’s own data, which the link does not contain: upload them again")
    return session_points[text]


def points_text(points: Points) -> str:
    """Return points as a text for the link."""
    pairs = zip(points.alpha.tolist(), points.beta.tolist(), strict=True)
    return "~".join(f"{alpha!r}_{beta!r}" for alpha, beta in pairs)


def points_of_file(data: bytes, _: object) -> Points:
    """Return the points in a file or text or, where they are too many for a link, the corners of their hull."""
    alpha, beta = read_curve_points(data)
    hull = tradeoff.points_curve(alpha, beta, "the points", hull=True)
    if alpha.size > MAX_LINKED_POINTS and hull.lines is not None:  # only the corners of the hull matter
        alpha, _, beta, _ = hull.lines.vertices()
    return Points(alpha, beta)


def read_upload(files: DataFiles, _: object) -> ReadData[dict[str, Points]]:
    """Return the points of each text of the copy in the browser; ValueError if a text lists none."""
    texts = {name: text.decode() for name, (_, text) in files.files.items() if is_session_name(name)}
    return ReadData({name: points_of_text(text) for name, text in texts.items()})


@lru_cache(64)
def linked_points(text: str) -> Points:
    """Return the points that the text of a link lists, the same object for the same text.

    It must not read points that only the session has: they would stay in the process after the session.
    """
    return points_of_text(text)


def points_of_text(text: str) -> Points:
    """Return the points that a text lists; ValueError with a sentence if it lists none."""
    try:
        pairs = [[float(part) for part in pair.split("_")] for pair in text.split("~")]
        alpha, beta = np.array(pairs).T
    except ValueError:
        quoted = excerpt(text) or "nothing"
        raise ValueError(f"points are written alpha_beta~alpha_beta; {quoted} was given") from None
    if alpha.size < 2:
        raise ValueError("there must be at least 2 points, and 1 was given")
    return Points(alpha, beta)
