"""Points of a curve that a list names: written in the list, or in a file that only the session holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore.checks import Array
from pages.shared import parameters

MOST_LINKED_POINTS = 100


@dataclass(frozen=True, eq=False)
class Points:
    """Points of a curve. Each lot equals itself alone, so that what is made of it can be kept under it."""

    alpha: Array
    beta: Array


Held = Mapping[str, Points]  # the points of files, which are too many for a link, by their name in the list


def points_of(listed: str, held: Held) -> Points:
    """The points of an entry: those written in it, or those of a file."""
    if not listed.startswith("file"):
        return linked_points(listed)
    if listed not in held:
        raise ValueError("its points came from a file too large for a link and are not in this session")
    return held[listed]


@lru_cache(64)
def linked_points(listed: str) -> Points:
    """The points that a text lists; ValueError with a sentence if it lists none."""
    try:
        pairs = [[float(part) for part in pair.split("_")] for pair in listed.split("~")]
        alpha, beta = np.array(pairs).T
    except ValueError:
        given = parameters.shown(listed) or "nothing"
        raise ValueError(f"points are written alpha_beta~alpha_beta; {given} was given") from None
    if alpha.size < 2:
        raise ValueError("there must be at least 2 points, and 1 was given")
    return Points(alpha, beta)
