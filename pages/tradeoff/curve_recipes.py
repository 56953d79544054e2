"""What a curve of the list depends on, what it costs, and the curve itself."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcore import tradeoff
from dpcore.tradeoff import Curve
from pages.tradeoff.curve_kinds import (
    KINDS,
)
from pages.tradeoff.points import Points


@dataclass(frozen=True)
class Recipe:
    """All that a curve depends on, without its name and colour."""

    kind: str
    numbers: tuple[float, ...]
    points: Points | None
    releases: int


def computing_cost(recipe: Recipe) -> float:
    """Return the cost of a curve in units of 0.3 to 0.5 ms of a processor: a numerical composition has 200 + √n.

    The grid of a composition of n releases has √n thousand cells; to compose a curve that was itself computed on such
    a grid takes about twice as long.
    """
    steps = recipe.numbers[2] if recipe.kind == "sgm" else 1
    cost = 200 + math.sqrt(steps) if steps > 1 else 0
    if recipe.releases == 1 or KINDS[recipe.kind].closed:
        return cost
    return cost + (2 if cost else 1) * (200 + math.sqrt(recipe.releases))


@lru_cache(64)
def curve_of(recipe: Recipe) -> Curve:
    """Return the curve; ValueError where dpcore can't compute it."""
    if recipe.points is None:
        curve = KINDS[recipe.kind].make(*recipe.numbers)
    else:  # neighbours can be exchanged, and the two errors with them
        alpha, beta = recipe.points.alpha, recipe.points.beta
        curve = tradeoff.points_curve(np.append(alpha, beta), np.append(beta, alpha), hull=True)
    return curve if recipe.releases == 1 else tradeoff.composed_curve([curve], [recipe.releases])
