"""Which estimator to use: what each is, with its formula and assumptions, and all that apply, ranked by their errors.

Each estimate's `sure` is computed from the release and σ alone, so that ranking by it costs no privacy; so is
`coupled_risk`, which does not flatter those whose tuning SURE chose. The least of several such numbers is optimistic,
since it is in part the luckiest; `simulate_errors` shows by how much where the truth is known.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcore.checks import Array, interval_bounds, leave_out, option, or_default, record, scalar_integer
from dpcore.denoise.filtering import laplacian_smoothing, trend_filtering
from dpcore.denoise.projection import DIMENSION_RANGE, Estimate, checked_release, non_negative, with_total
from dpcore.denoise.shrinkage import james_stein, posterior_mean, unchanged
from dpcore.denoise.thresholding import sureshrink, universal_soft
from dpcore.denoise.wavelets import RULES, graph_wavelet, wavelet
from dpcore.graphs import N_CELLS_RANGE, Graph, grid_graph, path_graph


@dataclass(frozen=True)
class Estimator:
    """One way to denoise ŷ = y + N(0, σ²I_d), in plain text.

    Attributes
    ----------
    key : of the estimator, for links, frames and colours.
    name : for people.
    formula : on one line.
    assumption : what y has to be for a large gain, or what has to be known.
    hurts : when it gains nothing or makes the release worse.
    tuned : whether SURE chose its tuning on the same release, so that its own SURE is optimistic and flatters it in a
        ranking.
    """

    key: str
    name: str
    formula: str
    assumption: str
    hurts: str
    tuned: bool = False


_ALL = (
    Estimator(
        "none",
        "As released",
        "ŷ",
        "Nothing.",
        "Its expected squared error is dσ², whatever y is: what the others have to beat.",
    ),
    Estimator(
        "posterior_mean",
        "Posterior mean",
        "w²/(w² + σ²) · ŷ",
        "y is a draw of N(0, w²I), with a w that is known without the data.",
        "Where ‖y‖² is above d(2w² + σ²), its expected error is larger than the release’s.",
    ),
    Estimator(
        "james_stein",
        "James–Stein",
        "(1 − (d − 2)σ²/‖ŷ‖²) · ŷ",
        "d ≥ 3. It helps most where ‖y‖ is not large beside σ√d.",
        "Its expected error is below the release’s for every y, but only just where ‖y‖ is large beside σ√d. A "
        "single large coordinate is shrunk with the others and may become worse. A negative factor reverses "
        "every sign.",
    ),
    Estimator(
        "james_stein_plus",
        "James–Stein, positive part",
        "max(0, 1 − (d − 2)σ²/‖ŷ‖²) · ŷ",
        "d ≥ 3. It helps most where ‖y‖ is not large beside σ√d.",
        "Its expected error is below the release’s for every y, but only just where ‖y‖ is large beside σ√d. A "
        "single large coordinate is shrunk with the others and may become worse.",
    ),
    Estimator(
        "soft_universal",
        "Soft threshold, σ√(2 ln d)",
        "sign(ŷ) · max(0, |ŷ| − T), T = σ√(2 ln d)",
        "Most of y is 0 or nearly so, and the rest is large (sparse).",
        "On dense vectors: every coordinate far above T is shrunk by T: σ² + T² instead of σ².",
    ),
    Estimator(
        "soft_sure",
        "Soft threshold, chosen by SURE",
        "sign(ŷ) · max(0, |ŷ| − T), T ≤ σ√(2 ln d) of least SURE",
        "Some of y is near 0.",
        "On dense vectors T is near 0 and nothing is gained; with few numbers, all near 1.7σ, it is worse than the "
        "release (1.3 times its squared error at d = 3, 1.1 times at d = 10). On very sparse ones T varies with the "
        "noise, and the fixed T = σ√(2 ln d) may be better. Its SURE is too low, since T was chosen by it.",
        tuned=True,
    ),
    Estimator(
        "non_negative",
        "Clipping at 0",
        "max(0, ŷ)",
        "No coordinate of y is below 0.",
        "It gains nothing where all of y is well above 0. It raises sums: an empty cell becomes σ/√(2π) on average.",
    ),
    Estimator(
        "with_total",
        "Clipping at 0, total preserved",
        "max(0, ŷ − τ), τ such that the sum is the total",
        "No coordinate of y is below 0, and the total is public; without one, the release’s own sum is kept.",
        "With a wrong total. A total that is read from the data costs privacy wherever neighbours differ in it.",
    ),
    Estimator(
        "wavelet_universal",
        "Wavelets, σ√(2 ln m)",
        "Wᵀ η_T(W ŷ), T = σ√(2 ln m) for the m details",
        "y changes little, or seldom, along the series or image.",
        "Where neighbours have little in common, every detail above T is pulled in by T.",
    ),
    Estimator(
        "wavelet_sure",
        "Wavelets, chosen by SURE",
        "Wᵀ η_T(W ŷ), T of least SURE for each level that is not sparse",
        "y changes little, or seldom, along the series or image; less so than for the fixed T.",
        "Its SURE is too low, since every T was chosen by it.",
        tuned=True,
    ),
    Estimator(
        "laplacian",
        "Laplacian smoothing",
        "(I + λL)⁻¹ ŷ, λ of least SURE",
        "y changes little from each node to its neighbours.",
        "Single large nodes are spread over their neighbours.",
        tuned=True,
    ),
    Estimator(
        "graph_wavelet",
        "Graph wavelets",
        "Wᵀ η_T(W ŷ), W of a spanning tree, T = σ√(2 ln m) for the m details",
        "y changes along few edges of the graph.",
        "Where neighbours have little in common, every detail above T is pulled in by T.",
    ),
    Estimator(
        "trend_filtering",
        "Graph trend filtering",
        "argmin ½‖ŷ − b‖² + λ Σ|b_u − b_v| over edges, λ of least SURE",
        "y is constant over regions, with few edges between them.",
        "Peaks are pulled towards their surroundings. It is slow beside the others.",
        tuned=True,
    ),
)
ESTIMATORS = {estimator.key: estimator for estimator in _ALL}

Calls = dict[str, Callable[[Array, Array], Estimate]]
STRUCTURES = ("series", "image")


@dataclass(frozen=True, eq=False)
class Knowledge:
    """What is publicly known of y beside its release.

    Attributes
    ----------
    structure : None, that y is numbers in any order; "series", that they follow one another; "image", that they are the
        cells of a grid; or the `Graph` whose nodes they are.
    prior_sd : w of a prior N(0, w²I), in [0, 1e100], known without the data; one number or one for each release. None
        for no prior, and so no posterior mean.
    total : of `with_total`, in [0, 1e100], likewise; None for the release's own sum.
    basis : of `WAVELETS`, the one in which few numbers hold a series or an image; None for "haar".

    Raises
    ------
    ValueError
        `structure must be in series, image, got 'table'`.

    Examples
    --------
    >>> Knowledge("image").n_axes, Knowledge(prior_sd=2).n_axes
    (2, 1)
    """

    structure: Graph | str | None = None
    prior_sd: ArrayLike | None = None
    total: ArrayLike | None = None
    basis: str | None = None

    def __post_init__(self) -> None:
        if self.structure is not None and not isinstance(self.structure, Graph):
            option("structure", self.structure, STRUCTURES)

    @property
    def n_axes(self) -> int:
        """The number of axes that the coordinates of a release have."""
        return 2 if self.structure == "image" else 1


NOTHING = Knowledge()
"""That y is numbers in any order."""
_SLOW = ("trend_filtering",)
_USERS = {
    "prior_sd": ("posterior_mean",),
    "total": ("with_total",),
    "basis": tuple(f"wavelet_{rule}" for rule in RULES),
}  # the estimators that use a part of `Knowledge`


def estimator_keys(
    shape: int | tuple[int, ...], knowledge: Knowledge = NOTHING, repeatable: bool = False
) -> tuple[str, ...]:
    """Return the keys of `ESTIMATORS` that apply to one release, in their order.

    Parameters
    ----------
    shape : of one release: its length d, or rows and columns of an image.
    knowledge : what is known of the coordinates. James–Stein needs d ≥ 3. The wavelets are for series and images, the
        tree's wavelets for graphs, smoothing and trend filtering for all three, those of at most 100,000 numbers. The
        posterior mean needs a prior.
    repeatable : whether to leave out trend filtering, which takes far longer than all the others.

    Examples
    --------
    >>> estimator_keys(8)
    ('none', 'james_stein', 'james_stein_plus', 'soft_universal', 'soft_sure', 'non_negative', 'with_total')
    >>> estimator_keys((8, 8), Knowledge("image"), repeatable=True)[-3:]
    ('wavelet_universal', 'wavelet_sure', 'laplacian')
    """
    sizes = shape if isinstance(shape, tuple) else (shape,)
    record("knowledge", knowledge, Knowledge)
    axes = knowledge.n_axes
    scalar_integer("number of axes of a release", len(sizes), f"[{axes}, {axes}]")
    sizes = tuple(scalar_integer("shape", size, DIMENSION_RANGE) for size in sizes)
    keys = tuple(_calls(sizes, knowledge))
    return tuple(key for key in keys if not (repeatable and key in _SLOW))


def estimates(
    noisy: ArrayLike,
    sigma: ArrayLike,
    knowledge: Knowledge = NOTHING,
    keys: Sequence[str] | None = None,
) -> dict[str, Estimate]:
    """Return what each estimator makes of a release, by its key in `ESTIMATORS`, in that order.

    Parameters
    ----------
    noisy : ŷ in [-1e100, 1e100], on a `Graph` in [-1e97, 1e97], the coordinates along the last axis, or the last two
        for an image; other axes are releases.
    sigma : in [1e-50, 1e100], one number or one for each release.
    knowledge : what is known of y; what none of the estimators uses is refused.
    keys : which estimators, of those in `estimator_keys`; None for all of them.

    Raises
    ------
    ValueError
        `keys must be in none, …, got 'laplacian'` where that does not apply, and
        `total must be left out of estimators without with_total, got 9`; else as each estimator.

    Examples
    --------
    >>> by_estimator = estimates([9.0, -1.0, 0.5, 0.2], sigma=1)
    >>> [round(float(by_estimator[key].sure), 1) for key in ("none", "james_stein_plus", "soft_universal", "soft_sure")]
    [4.0, 4.0, 2.1, 0.3]
    """
    return dict(each_estimate(noisy, sigma, knowledge, keys))


def each_estimate(
    noisy: ArrayLike,
    sigma: ArrayLike,
    knowledge: Knowledge = NOTHING,
    keys: Sequence[str] | None = None,
) -> Iterator[tuple[str, Estimate]]:
    """Yield the key and the estimate of each estimator of `estimates`, one in memory at a time.

    Examples
    --------
    >>> [key for key, _ in each_estimate([9.0, -1.0], sigma=1)]
    ['none', 'soft_universal', 'soft_sure', 'non_negative', 'with_total']
    """
    record("knowledge", knowledge, Knowledge)
    axes = knowledge.n_axes
    noisy, sigma = checked_release(noisy, sigma, axes)
    calls = _calls(noisy.shape[-axes:], knowledge)
    if keys is not None:
        for key in keys:
            option("keys", key, tuple(calls))
        calls = {key: call for key, call in calls.items() if key in keys}
    for name, users in _USERS.items():
        if not any(key in calls for key in users):
            leave_out(f"estimators without {' and '.join(users)}", **{name: getattr(knowledge, name)})
    flat = noisy.reshape(*sigma.shape, prod(noisy.shape[-axes:]))
    for key, call in calls.items():
        estimate = call(flat, sigma)
        yield key, replace(estimate, value=estimate.value.reshape(noisy.shape))


def best(candidates: Mapping[str, Estimate] | Mapping[str, Array]) -> NDArray[np.str_]:
    """Return the key of the least SURE, or of the least risk, one for each release; the first of equals.

    Estimators whose tuning SURE chose (`tuned` in `ESTIMATORS`) are flattered by it, on small releases above all: they
    come first too often, and what their SURE guarantees is too good. By `coupled_risk` they are not.

    Parameters
    ----------
    candidates : of `estimates`, to be ranked by SURE, or of `coupled_risk`; at least one.

    Examples
    --------
    >>> print(best(estimates([9.0, -1.0, 0.5, 0.2], sigma=1)))
    soft_sure
    """
    scalar_integer("number of estimates", len(candidates), "[1, 1000]")
    risk = [candidate.sure if isinstance(candidate, Estimate) else candidate for candidate in candidates.values()]
    return np.array(list(candidates))[np.argmin(np.stack(risk), axis=0)]


def _calls(sizes: tuple[int, ...], knowledge: Knowledge) -> Calls:
    """Return the estimators that apply, as functions of a release along one axis and of its σ."""
    structure, basis = knowledge.structure, or_default(knowledge.basis, "haar")
    calls: Calls = {
        "none": unchanged,
        "soft_universal": universal_soft,
        "soft_sure": sureshrink,
        "non_negative": non_negative,
        "with_total": partial(with_total, total=knowledge.total),
    }
    if knowledge.prior_sd is not None:
        calls["posterior_mean"] = partial(posterior_mean, prior_sd=knowledge.prior_sd)
    if prod(sizes) >= 3:
        calls |= {"james_stein": partial(james_stein, positive_part=False), "james_stein_plus": james_stein}
    if isinstance(structure, str):
        calls |= {f"wavelet_{rule}": partial(_on_grid, sizes=sizes, basis=basis, rule=rule) for rule in RULES}
    graph = _graph(sizes, structure)
    if graph is not None:
        calls["laplacian"] = partial(laplacian_smoothing, graph=graph)
        calls["trend_filtering"] = partial(trend_filtering, graph=graph)
    if isinstance(structure, Graph):
        calls["graph_wavelet"] = partial(graph_wavelet, graph=structure)
    return {key: calls[key] for key in ESTIMATORS if key in calls}


def _graph(sizes: tuple[int, ...], structure: Graph | str | None) -> Graph | None:
    if isinstance(structure, Graph) or structure is None:
        return structure
    if prod(sizes) > interval_bounds(N_CELLS_RANGE)[1]:
        return None
    return _grid(sizes)


@lru_cache(maxsize=8)
def _grid(sizes: tuple[int, ...]) -> Graph:
    return grid_graph(*sizes) if len(sizes) == 2 else path_graph(*sizes)


def _on_grid(noisy: Array, sigma: Array, sizes: tuple[int, ...], basis: str, rule: str) -> Estimate:
    estimate = wavelet(noisy.reshape(*sigma.shape, *sizes), sigma, basis, rule, len(sizes))
    return replace(estimate, value=estimate.value.reshape(noisy.shape))
