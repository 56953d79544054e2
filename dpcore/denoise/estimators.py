"""A description of each estimator: its formula, its assumptions, and when it increases the error."""

from dataclasses import dataclass


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
