"""A series for the program of a release, from the errors of its strategy: the sums that get noise, and each ±."""

from functools import partial

from dpcore import linear_queries
from dpcore.linear_queries import Errors
from dpcore.mechanism import NoiseDistribution
from pages.shared.release_program.program import PublishedSeries, Statistic, level_text, noise_facts

_ROOTS = ("square_root", "normalized_square_root", "banded")
_SUMS = ("per_period", "per_number", "tree", "binary_tree")
_AS_IT_GOES = (
    "The numbers are published at the end of the series, and are those that would appear as each period ends: none is "
    "made of a later period."
)


def series_statistic(
    name: str, errors: Errors, noise: NoiseDistribution, half_width: float, significance: float, level: float
) -> Statistic | None:
    """Return a series with noise of a scale in each sum of a strategy; None for a strategy that the program lacks.

    `half_width` is the largest ± of its numbers, `significance` that of the ± in words, and `level` that of each
    number: smaller where all are meant at once.
    """
    persons, workload = errors.persons, errors.workload
    if errors.strategy not in (*_ROOTS, *_SUMS) or workload.own is not None:
        return None
    most = int(persons.per_cell)
    return Statistic(
        name=name,
        kind="series",
        **noise_facts(noise),
        l1=float(errors.sensitivity),
        l2=float(errors.sensitivity),
        half_width=half_width,
        level=level_text(significance),
        n_cells=workload.n,
        max_cells=persons.contributions,
        max_in_cell=most,
        max_in_all=int(min(persons.contributions * most, persons.total)),
        note=_AS_IT_GOES if errors.options.publication == "as_it_goes" else "",
        series=partial(published_series, errors, noise.scale, level),
    )


def published_series(errors: Errors, scale: float, level: float) -> PublishedSeries:
    """Return what is published of a series, with the ± of each number at a level."""
    is_root = errors.strategy in _ROOTS
    return PublishedSeries(
        published=errors.workload.name,
        n_periods=errors.workload.n,
        window=errors.workload.window,
        strategy="square_root" if is_root else errors.strategy,
        is_as_it_goes=errors.options.publication == "as_it_goes",
        half_widths=tuple(linear_queries.half_widths_of_scale(errors, scale * (1 + 1e-12), level).tolist()),
        coefficients=tuple(linear_queries.root_coefficients(errors).tolist()) if is_root else (),
        is_normalized=errors.strategy == "normalized_square_root",
    )
