"""The sections of the page, and its answer."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.gaussian_bounds import exhibits, text
from pages.gaussian_bounds.exhibits import GaussianBoundsResult
from pages.gaussian_bounds.parameters import VIEW
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE


def answer(result: GaussianBoundsResult) -> tuple[str, ...]:
    """The page's answer, what it means and, beside a kept setting, what has changed."""
    said = text.answer(result.rows, result.setting)
    return said if result.pinned is None else (*said, text.compared(result.rows, result.pinned.rows))


def _bounds(result: GaussianBoundsResult, colour: Colours) -> Iterator[Part]:
    lead = {"ratio": exhibits.ratio, "epsilon": exhibits.sigma_epsilon, "delta": exhibits.sigma_delta}
    yield lead[result.view](result, colour)
    yield text.ROUNDING
    yield exhibits.bounds(result, colour)


def _profile(result: GaussianBoundsResult, colour: Colours) -> Iterator[Part]:
    yield exhibits.profile(result, colour)


def _pdp(result: GaussianBoundsResult, colour: Colours) -> Iterator[Part]:
    yield exhibits.pdp_share(result, colour)


SECTIONS = {
    "bounds": Section[GaussianBoundsResult](
        lambda _: (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE, Field(VIEW, "Show")), _bounds
    ),
    "profile": Section[GaussianBoundsResult](lambda _: (EPSILON, DELTA, L2_SENSITIVITY), _profile),
    "pdp": Section[GaussianBoundsResult](lambda _: (DELTA,), _pdp),
}
