"""The section on the profile: δ over ε of the whole list, and ε at some δ."""

from typing import Any

from pages.composition.privacy_profile import figures, results, text
from pages.composition.results import CompositionResult, header
from pages.composition.total_epsilon.results import whole
from pages.framework.export.exhibit import Colours, Exhibit


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
