"""The charts and the table of the section "Groups and models"."""

from functools import partial

from pages.composition.groups import figures, tables, text
from pages.composition.groups.results import GroupsResult, groups_at
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import without_markdown


def group_chart(result: CompositionResult, colours: Colours) -> Exhibit | None:
    """Return the chart of ε over the size of the group."""
    groups = groups_at(result)
    if groups is None:
        return None
    pinned = None if result.pinned is None else groups_at(result.pinned)
    figure = figures.group_figure(groups, pinned, text.guarantee_words(groups), colours)
    alternative = without_markdown(" ".join(text.answer_sentences(groups)))
    return Exhibit("groups", figure, alternative, tables.groups_frame(groups), _header(groups), picks=("group", ""))


def shuffle_chart(result: CompositionResult, colours: Colours) -> Exhibit | None:
    """Return the chart of ε over the number of shuffled reports."""
    groups = groups_at(result)
    if groups is None:
        return None
    figure = figures.shuffle_figure(groups, text.reports_words(groups), colours)
    return Exhibit(
        "shuffled",
        figure,
        text.shuffle_text(groups),
        tables.reports_frame(groups),
        _header(groups),
        picks=("reports", ""),
    )


def models_table(result: CompositionResult, _: Colours) -> Exhibit | None:
    """Return the table of all guarantees."""
    groups = groups_at(result)
    if groups is None:
        return None
    html, numbers = tables.table_html(groups), partial(tables.models_frame, groups)
    return Exhibit("models", html, text.table_text(groups), numbers, _header(groups))


def _header(groups: GroupsResult) -> dict[str, str]:
    setting = groups.setting
    entries = {"epsilon": setting.epsilon, "delta": setting.delta, "group": setting.size}
    entries |= {"local_epsilon": setting.local_epsilon, "reports": setting.reports}
    return {key: repr(value) for key, value in entries.items()} | {"units": "epsilon and rho in nats; mu without unit"}
