"""One release of a table, for trial, and what repeated releases keep."""

from typing import Any

import pandas as pd

from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_RELEASE, Colours, Exhibit
from pages.framework.parameters.number_format import without_markdown
from pages.tables.release import figures, text
from pages.tables.results import TablesResult


def release(result: TablesResult, colour: Colours) -> Exhibit | None:
    """True counts beside one release; nothing where there is no table or no noise."""
    if not result.released.size or result.counts is None:
        return None
    figure = figures.release_figure(result, text.release_subtitle(result), colour)
    numbers = result.counts.frame.assign(released=result.released)
    said, confidential = text.release_alternative(result), result.confidential(CONFIDENTIAL_PICTURE)
    return Exhibit("release", figure, said, numbers, _header(result), confidential=confidential)


def noisy(result: TablesResult, _: Colours) -> Exhibit | None:
    """The release in numbers; its CSV has the names of the cells and the released numbers, without the true ones."""
    if not result.released.size or result.counts is None:
        return None
    numbers = pd.DataFrame({"cell": result.counts.frame["cell"], "released": result.released})
    html, said = text.noisy_table(result), text.release_alternative(result)
    confidential = result.confidential(CONFIDENTIAL_RELEASE)
    return Exhibit("noisy_table", html, said, numbers, _header(result), confidential=confidential)


def kept(result: TablesResult, colour: Colours) -> Exhibit | None:
    """What of each cell repeated releases keep; nothing where there is no table or no noise."""
    if result.kept is None or result.counts is None:
        return None
    figure = figures.kept_figure(result, result.kept, text.release_subtitle(result), colour)
    numbers = result.counts.frame.assign(
        keeps_order=result.kept.order, keeps_sign=result.kept.sign, keeps_significance=result.kept.significance
    )
    said = text.kept_alternative(result, result.kept)
    header = _header(result) | {"repeats": result.kept.n_repeats}
    return Exhibit("kept", figure, said, numbers, header, confidential=result.confidential(CONFIDENTIAL_PICTURE))


def _header(result: TablesResult) -> dict[str, Any]:
    return {"warning": without_markdown(text.TRIAL)} | result.trial_header


ALL = (release, noisy, kept)
