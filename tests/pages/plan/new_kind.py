"""A kind of query that the product does not have, for `test_new_kind.py`; docs/recipes.md quotes its definitions."""

from dataclasses import dataclass, replace
from typing import ClassVar

from dpcore.mechanism import NoiseDistribution
from dpcore.plan.statistics import Moved, Noisy, _moved_by
from dpcore.sensitivity import query_sensitivity
from pages.framework.parameters.kinds import Quantity
from pages.plan.kind_record import Amount, Column, Kind
from pages.plan.programs import Released, _noisy
from pages.shared.release_program.program import Statistic


@dataclass(frozen=True)
class Difference(Noisy):
    """By how much one group is larger than `weight` times another; nobody is in both."""

    weight: float = 1.0
    kind: ClassVar[str] = "difference"

    def moved(self, neighbours: str, _significance: float) -> Moved:
        """Return by how much one person moves it."""
        return _moved_by(query_sensitivity("sum", neighbours, -self.weight, 1.0))


def difference(statistic: Difference, noise: NoiseDistribution, released: Released) -> Statistic:
    """Return a difference, as the sum of a column that has 1, −weight or 0."""
    return replace(_noisy("sum", noise, released), low=-statistic.weight, high=1.0)


WEIGHT = Quantity("weight", "w", "Weight of the other group, w", "[0.01, 100]", "1")
KIND = Kind(
    label="Difference of two groups",
    record=Difference,
    half_width="10",  # ± of a new row
    numbers={"weight": WEIGHT},  # by the arguments of its record
    words="one group less {} times another",  # with a place for each number
    size=Amount(lambda numbers: max(1.0, numbers["weight"])),  # below which ± makes no sense; or `Range`
    own_page=None,  # OwnPage(ACCURACY, …): the page that answers it alone
    program=difference,
    column=Column("number"),  # of a file; with a phrase where such a column is proposed as this kind
    places=None,  # Places("cell", "cells_per_person", "per_cell"): in what a person can be several times
)
