"""The chart and the table of the section on a budget."""

from dpcore.queries import Budget
from pages.accuracy.budget import tables, text
from pages.accuracy.budget.figures import shares_figure
from pages.accuracy.budget.parameters import item_names
from pages.accuracy.results import AccuracyResult
from pages.accuracy.text import setting_text
from pages.framework.export.exhibit import Colours, Exhibit, Figure


def shares(result: AccuracyResult, colours: Colours) -> Exhibit | None:
    """Return each query's share of ε; nothing where the locked ones ask for more than there is."""
    items, pinned = result.setting.budget, result.pinned and result.pinned.shares
    if result.shares is None:
        return None
    figure = shares_figure(
        item_names(items),
        result.shares.epsilon,
        [bool(item.locked) for item in items],
        result.setting.epsilon,
        text.subtitle(result.setting),
        colours,
        pinned and pinned.epsilon,
    )
    return _budget_exhibit("budget", figure, result, result.shares)


def shares_table(result: AccuracyResult, _: Colours) -> Exhibit | None:
    """Return each query's share, its accuracies and the totals; nothing where the locked ones ask for too much."""
    setting, pinned = result.setting, result.pinned and result.pinned.shares
    if result.shares is None:
        return None
    html = tables.budget_html(setting.budget, result.shares, setting.significance, pinned)
    return _budget_exhibit("budget_table", html, result, result.shares)


def _budget_exhibit(name: str, picture: Figure | str, result: AccuracyResult, shares: Budget) -> Exhibit:
    setting, pinned = result.setting, {} if result.pinned is None else {"pinned": setting_text(result.pinned.setting)}
    alternative = text.alternative_text(setting.budget, shares)
    header = text.csv_header(setting, shares) | pinned
    return Exhibit(name, picture, alternative, tables.budget_frame(setting.budget, shares), header)
