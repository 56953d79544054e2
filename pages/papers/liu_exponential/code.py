"""The scales of the exponential mechanism with dpcore; other libraries do not have it over an interval."""

from dpcore.generalized_gaussian.bounded_comparison import EXPONENTIAL, LEMMA, PUBLISHED, TRUNCATED
from pages.framework.layout.code_panel import program, unavailable
from pages.framework.layout.section import Snippet
from pages.papers.results import PapersResult
from pages.shared.bounded.code import NO_BOUNDS, bounds_assignment
from pages.shared.libraries import DPCORE

_LINES = {
    LEMMA.key: "lemma_exponential_scale(epsilon, p, [sensitivity], [low], [high])",
    EXPONENTIAL.key: "bounded_exponential_scale(epsilon, p, [sensitivity], [high - low])",
    PUBLISHED.key: "truncated_scale(epsilon, p, [sensitivity], [high - low])",
    TRUNCATED.key: "exact_truncated_scale(epsilon, p, high - low, sensitivity)",
}


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return the code of the scales; nothing where there is no answer."""
    exponential = result.exponential
    if exponential is None:
        return ()
    lines = {key: line for key, line in _LINES.items() if key in exponential.scale}
    code = program(
        "from dpcore import generalized_gaussian",
        "",
        bounds_assignment(exponential.setting),
        *(f"print(generalized_gaussian.{line})" for line in lines.values()),
    )
    lemma = "by Lemma 10, " if LEMMA.key in lines else ""
    note = f"The scale b {lemma}with the exact Δᵤ, by Eq. 7–8, and of exact truncated noise."
    return Snippet(DPCORE, code, note, tuple(exponential.scale[key] for key in lines)), *unavailable(NO_BOUNDS)
