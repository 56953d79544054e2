"""The section on the profile: δ over ε of the whole list, and ε at some δ."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.composition import profile, profile_figures, profile_words
from pages.composition.found import EDIT, CompositionResult, header
from pages.composition.parameters import RUNS
from pages.composition.profile_words import answer
from pages.composition.together import whole
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
    yield profile_words.advice(result)


def explanation(_: CompositionResult) -> str:
    """How the profile is computed."""
    return profile_words.EXPLANATION


def over_epsilon(result: CompositionResult, colour: Colours) -> Exhibit:
    """δ over ε; a click takes its point as the page's ε and δ."""
    kept = result.pinned
    figure = profile_figures.profile_figure(
        profile.profile(result),
        profile.point(result),
        (result.setting, kept and kept.setting),
        kept and profile.profile_of(whole(kept), profile.reach(result)),
        profile_words.subtitle(result),
        colour,
    )
    said = profile_words.alternative(result)
    numbers, header = (lambda: profile_words.drawn_frame(result)), _header(result)
    return Exhibit("profile", figure, said, numbers, header, picks=("epsilon", "delta"))


def at_deltas(result: CompositionResult, _: Colours) -> Exhibit:
    """ε of the whole list at some δ."""
    html, said = profile_words.table_html(result), profile_words.alternative(result)
    return Exhibit("profile_table", html, said, lambda: profile_words.table_frame(result), _header(result))


def _header(result: CompositionResult) -> dict[str, Any]:
    units = "delta exact to 9 digits and rounded up, or certified; by RDP and zCDP upper bounds"
    return header(result, units, epsilon=repr(result.setting.epsilon))


ALL = (over_epsilon, at_deltas)
