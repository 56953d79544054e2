"""The sections of the page, and its answer."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Part, Section
from pages.gaussian_bounds import exhibits, words
from pages.gaussian_bounds.exhibits import Found
from pages.gaussian_bounds.parameters import VIEW
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE


def answer(found: Found) -> tuple[str, ...]:
    """The page's answer, what it means and, beside a kept setting, what has changed."""
    said = words.answer(found.rows, found.setting)
    return said if found.pinned is None else (*said, words.compared(found.rows, found.pinned.rows))


def _bounds(found: Found, colour: Colours) -> Iterator[Part]:
    lead = {"ratio": exhibits.ratio, "epsilon": exhibits.sigma_epsilon, "delta": exhibits.sigma_delta}
    yield lead[found.view](found, colour)
    yield words.ROUNDING
    yield exhibits.bounds(found, colour)


def _profile(found: Found, colour: Colours) -> Iterator[Part]:
    yield exhibits.profile(found, colour)


def _pdp(found: Found, colour: Colours) -> Iterator[Part]:
    yield exhibits.pdp_share(found, colour)


SECTIONS = {
    "bounds": Section[Found](lambda _: (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE, Field(VIEW, "Show")), _bounds),
    "profile": Section[Found](lambda _: (EPSILON, DELTA, L2_SENSITIVITY), _profile),
    "pdp": Section[Found](lambda _: (DELTA,), _pdp),
}
