"""The probability of the right choice as a program with dpcore, and the choice with other libraries."""

from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.median.largest.results import LargestResult
from pages.median.results import MedianResult
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP

_EQUAL = 1 - 1e-6, 1 + 1e-6
_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and chooses nothing.",
    OPACUS: "It trains models, and chooses nothing.",
}


def snippets(result: MedianResult) -> tuple[Snippet, ...]:
    """Return the programs of the choice."""
    largest = result.largest
    counts = ", ".join(f"{count:.0f}" for count in largest.counts)
    return (
        _own_snippet(largest, counts),
        _opendp_snippet(largest),
        _diffprivlib_snippet(largest, counts),
        *unavailable(_OTHERS),
    )


def _own_snippet(largest: LargestResult, counts: str) -> Snippet:
    options = f"mechanism={largest.mechanism!r}, monotone={largest.monotone}"
    if largest.n_chosen == 1:
        call = f"print(selection.winner_probability(counts, {number(largest.epsilon)}, {options}))"
    else:
        call = f"print(selection.top_probability(counts, {largest.n_chosen}, {number(largest.epsilon)}, {options}))"
    code = program("from dpcore import selection", "", f"counts = [{counts}]", call)
    return Snippet(DPCORE, code, "The probability that the right ones are published.", (largest.right,))


def _opendp_snippet(largest: LargestResult) -> Snippet:
    code = program(
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        "space = dp.vector_domain(dp.atom_domain(T=int))",
        f"distance = dp.linf_distance(T=int, monotonic={largest.monotone})",
        "noisy = lambda scale: dp.m.make_noisy_max(space, distance, dp.max_divergence(), scale)",
        f"print(dp.binary_search_param(noisy, 1, {number(largest.epsilon / largest.n_chosen)}))",
    )
    note = (
        "Its noisy max is permute-and-flip: it prints the scale of its noise for one choice, and noisy(scale)(counts) "
        "draws a choice."
    )
    scale = (1 if largest.monotone else 2) * largest.n_chosen / largest.epsilon
    return within(Snippet(OPENDP, code, note, (scale,), *_EQUAL), Limit("ε", largest.epsilon, 0.01, 10))


def _diffprivlib_snippet(largest: LargestResult, counts: str) -> Snippet:
    own = number(largest.epsilon / largest.n_chosen)
    code = program(
        "from diffprivlib.mechanisms import PermuteAndFlip",
        "",
        f"counts = [{counts}]",
        f"choice = PermuteAndFlip(epsilon={own}, sensitivity=1, utility=counts, monotonic={largest.monotone})",
        "print(choice.randomise())",
    )
    return Snippet(DIFFPRIVLIB, code, "It draws one choice, the place of a candidate, and states no probability.")
