"""The families of noise: one record for each, which everything that goes by a noise reads.

A family is a shape of noise with one scale; a calibration (`dpcore.calibrations`) is a formula for the scale that a
guarantee requires. The order is that of the pages. How to add a noise stands in `docs/recipes.md`.
"""

from dataclasses import dataclass, field
from types import ModuleType

from dpcore import discrete_gaussian, gaussian, geometric, laplace, staircase, truncated_geometric, truncated_laplace
from dpcore import generalized_gaussian as generalized
from dpcore.calibrations import PURE_DP, Calibration, noises
from dpcore.checks import DomainError

__all__ = ["FAMILIES", "Family"]


@dataclass(frozen=True)
class Family:
    """A family of noise.

    Attributes
    ----------
    key : the name of its module, by which records and links call it.
    name : as in a heading; `words` is the same within a sentence.
    functions : its module: `pdf` or `pmf`, `tail`, `half_width`, `variance`, `mean_absolute_error` and `sample`.
    symbol : of its scale: b, s or σ, or the bound A or N of truncated noise.
    calibration : the formula by which it is released.
    others : further calibrations of the same noise.
    is_sampled_safely : whether OpenDP or Google's libraries have a sampler that is exact or made for floating point;
        other noise is compared, but not recommended.
    in_opendp : whether OpenDP draws it exactly.
    whole : whether it is noise on the whole numbers.
    truncated : whether no error is beyond its scale, a bound.
    single : whether its guarantee is proved only for a person who moves one released number.
    is_planned : whether `dpcore.plan` offers it: its release can be composed, and a sampler is safe.
    continuous : of noise on the whole numbers, the key of the family that it is on the real numbers.
    """

    key: str
    name: str
    functions: ModuleType
    symbol: str
    calibration: Calibration
    others: tuple[Calibration, ...] = ()
    is_sampled_safely: bool = field(kw_only=True)
    in_opendp: bool = False
    whole: bool = False
    truncated: bool = False
    single: bool = False
    is_planned: bool = False
    continuous: str = ""

    def __post_init__(self) -> None:
        if self.is_planned and not self.is_sampled_safely:
            raise DomainError("is_planned", "False where no sampler is safe", True)

    @property
    def words(self) -> str:
        """The name within a sentence."""
        return self.name if self.name.startswith(("Laplace", "Gaussian")) else f"{self.name[0].lower()}{self.name[1:]}"

    @property
    def pure(self) -> bool:
        """Whether it satisfies ε-DP, without a δ."""
        return self.calibration.guarantee == PURE_DP

    @property
    def has_endless_losses(self) -> bool:
        """Whether no privacy loss is the largest, as of noise that is neither of ε-DP nor truncated."""
        return not (self.pure or self.truncated)

    @property
    def calibrations(self) -> tuple[Calibration, ...]:
        """Return every calibration of the noise, that of a release first."""
        return (self.calibration, *self.others)


FAMILIES = {
    family.key: family
    for family in (
        Family(
            "laplace",
            "Laplace",
            laplace,
            "b",
            noises.LAPLACE,
            is_sampled_safely=True,
            in_opendp=True,
            is_planned=True,
        ),
        Family(
            "geometric",
            "Geometric",
            geometric,
            "s",
            noises.GEOMETRIC,
            (noises.GEOMETRIC_PUBLISHED,),
            is_sampled_safely=True,
            in_opendp=True,
            whole=True,
            is_planned=True,
            continuous="laplace",
        ),
        Family(
            "staircase",
            "Staircase",
            staircase,
            "s",
            noises.STAIRCASE,
            (noises.STAIRCASE_MEAN,),
            is_sampled_safely=False,
            single=True,
        ),
        Family(
            "gaussian",
            "Gaussian",
            gaussian,
            "σ",
            noises.ANALYTIC,
            (noises.CLASSICAL, noises.CLASSICAL_TIGHT, noises.PDP, noises.EXACT_PDP, noises.LOWER),
            is_sampled_safely=True,
            in_opendp=True,
            is_planned=True,
        ),
        Family(
            "discrete_gaussian",
            "Discrete Gaussian",
            discrete_gaussian,
            "σ",
            noises.DISCRETE_GAUSSIAN,
            is_sampled_safely=True,
            in_opendp=True,
            whole=True,
            is_planned=True,
            continuous="gaussian",
        ),
        Family(
            "generalized_gaussian",
            "Generalized Gaussian",
            generalized,
            "b",
            noises.GENERALIZED_ADP,
            noises.GENERALIZED_GAUSSIAN[1:],
            is_sampled_safely=False,
        ),
        Family(
            "truncated_laplace",
            "Truncated Laplace",
            truncated_laplace,
            "A",
            noises.TRUNCATED_LAPLACE,
            is_sampled_safely=False,
            truncated=True,
            single=True,
        ),
        Family(
            "truncated_geometric",
            "Truncated geometric",
            truncated_geometric,
            "N",
            noises.TRUNCATED_GEOMETRIC,
            is_sampled_safely=True,
            whole=True,
            truncated=True,
            continuous="truncated_laplace",
        ),
    )
}
"""The record of each family, by its key.

>>> [family.words for family in FAMILIES.values() if family.pure and family.is_sampled_safely]
['Laplace', 'geometric']
"""
