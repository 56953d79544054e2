"""The sections of the page of the Gaussian bounds."""

from collections.abc import Iterator
from functools import partial

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.gaussian_bounds import claims, code, exhibits, text
from pages.gaussian_bounds.parameters import VIEW
from pages.gaussian_bounds.results import GaussianBoundsResult
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE


def _bounds_parts(result: GaussianBoundsResult, colours: Colours) -> Iterator[Part]:
    lead = {"ratio": exhibits.ratio, "epsilon": exhibits.sigma_epsilon, "delta": exhibits.sigma_delta}
    yield lead[result.view](result, colours)
    yield text.notes_text(result)
    yield exhibits.bounds(result, colours)


def _profile_parts(result: GaussianBoundsResult, colours: Colours) -> Iterator[Part]:
    yield exhibits.profile(result, colours)


_section = partial(
    Section[GaussianBoundsResult],
    explanation=text.explanation_text,
    claims=claims.claims,
    snippets=code.snippets,
)
BOUNDS = _section(
    key="bounds",
    name="Which bound",
    answer_text=text.answer_text,
    controls=lambda _: (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE, Field(VIEW, "Show")),
    parts=_bounds_parts,
    exhibits=(exhibits.ratio, exhibits.sigma_delta, exhibits.sigma_epsilon, exhibits.bounds),
    retired={
        "counts": "Tables of counts have a page of their own now, “Tables”; this page opens at “Which bound” instead."
    },
)
PROFILE = _section(
    key="profile",
    name="True δ of each σ",
    answer_text=text.true_delta_answer,
    controls=lambda _: (EPSILON, DELTA, L2_SENSITIVITY),
    parts=_profile_parts,
    exhibits=(exhibits.profile,),
)
