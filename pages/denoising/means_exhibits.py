"""Stub of the section `means`, to be replaced by its owner."""

from collections.abc import Iterator, Sequence

from pages.denoising.found import Found
from pages.shared.common import DELTA, EPSILON
from pages.shared.export import Colours
from pages.shared.parameters import Parameter
from pages.shared.sections import Field, Part


def answer(found: Found) -> tuple[str, ...]:
    """The answer of the section."""
    return (f"Stub: σ = {found.sigma:.3f}.",)


def strip(found: Found) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    return EPSILON, DELTA


def parts(found: Found, colour: Colours) -> Iterator[Part]:
    """What the section shows."""
    yield "Stub."


def explanation(found: Found) -> str:
    """How the section is computed, in Markdown with TeX."""
    return "Stub."


ALL = ()
