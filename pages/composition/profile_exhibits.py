"""The section on the profile: δ over ε of the whole list, and ε at some δ."""

from collections.abc import Iterator, Sequence
from typing import Any

from pages.composition import profile, profile_figures, profile_words
from pages.composition.found import EDIT, Found, header
from pages.composition.parameters import RUNS
from pages.composition.profile_words import answer
from pages.composition.together import whole
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Part
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

__all__ = ["ALL", "answer", "explanation", "parts", "strip"]


def strip(_: Found) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    return EPSILON, DELTA, RUNS


def parts(found: Found, colour: Colours) -> Iterator[Part]:
    """The profile in a picture and a table, and what to do with it."""
    yield over_epsilon(found, colour)
    yield EDIT
    yield at_deltas(found, colour)
    yield profile_words.advice(found)


def explanation(_: Found) -> str:
    """How the profile is computed."""
    return profile_words.EXPLANATION


def over_epsilon(found: Found, colour: Colours) -> Exhibit:
    """δ over ε; a click takes its point as the page's ε and δ."""
    kept = found.pinned
    figure = profile_figures.profile_figure(
        profile.profile(found),
        profile.point(found),
        (found.setting, kept and kept.setting),
        kept and profile.profile_of(whole(kept), profile.reach(found)),
        profile_words.subtitle(found),
        colour,
    )
    said = profile_words.alternative(found)
    numbers, header = (lambda: profile_words.drawn_frame(found)), _header(found)
    return Exhibit("profile", figure, said, numbers, header, picks=("epsilon", "delta"))


def at_deltas(found: Found, _: Colours) -> Exhibit:
    """ε of the whole list at some δ."""
    html, said = profile_words.table_html(found), profile_words.alternative(found)
    return Exhibit("profile_table", html, said, lambda: profile_words.table_frame(found), _header(found))


def _header(found: Found) -> dict[str, Any]:
    units = "delta exact to 9 digits and rounded up, or certified; by RDP and zCDP upper bounds"
    return header(found, units, epsilon=repr(found.setting.epsilon))


ALL = (over_epsilon, at_deltas)
