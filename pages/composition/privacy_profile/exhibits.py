"""The section on the profile: δ over ε of the whole list, and ε at some δ."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.composition.parameters import RUNS
from pages.composition.privacy_profile import figures, results, text
from pages.composition.privacy_profile.text import answer
from pages.composition.results import EDIT, CompositionResult, header
from pages.composition.total_epsilon.results import whole
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Part
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

__all__ = ["ALL", "answer", "explanation", "parts", "strip"]


def strip(_: CompositionResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    return EPSILON, DELTA, RUNS


def parts(result: CompositionResult, colour: Colours) -> Iterator[Part]:
    """The profile in a picture and a table, and what to do with it."""
    yield over_epsilon(result, colour)
    yield EDIT
    yield at_deltas(result, colour)
    yield text.advice(result)


def explanation(_: CompositionResult) -> str:
    """How the profile is computed."""
    return text.EXPLANATION


def over_epsilon(result: CompositionResult, colour: Colours) -> Exhibit:
    """δ over ε; a click takes its point as the page's ε and δ."""
    kept = result.pinned
    figure = figures.profile_figure(
        results.profile(result),
        results.point(result),
        (result.setting, kept and kept.setting),
        kept and results.profile_of(whole(kept), results.reach(result)),
        text.subtitle(result),
        colour,
    )
    said = text.alternative(result)
    numbers, header = (lambda: text.drawn_frame(result)), _header(result)
    return Exhibit("profile", figure, said, numbers, header, picks=("epsilon", "delta"))


def at_deltas(result: CompositionResult, _: Colours) -> Exhibit:
    """ε of the whole list at some δ."""
    html, said = text.table_html(result), text.alternative(result)
    return Exhibit("profile_table", html, said, lambda: text.table_frame(result), _header(result))


def _header(result: CompositionResult) -> dict[str, Any]:
    units = "delta exact to 9 digits and rounded up, or certified; by RDP and zCDP upper bounds"
    return header(result, units, epsilon=repr(result.setting.epsilon))


ALL = (over_epsilon, at_deltas)
