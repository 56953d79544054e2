"""The charts and the table of one release of a table, for trial, and of repeated releases."""

from typing import Any

import pandas as pd

from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_RELEASE, Colours, Exhibit
from pages.framework.parameters.number_format import without_markdown
from pages.tables.release import figures, section
from pages.tables.results import TablesResult


def release(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return true counts beside one release; nothing where there is no table or no mechanism."""
    if not result.released.size or result.table is None:
        return None
    figure = figures.release_figure(result, section.subtitle(result), colours)
    numbers = result.table.frame.assign(released=result.released)
    alternative, confidential = section.release_alternative_text(result), result.confidential_note(CONFIDENTIAL_PICTURE)
    return Exhibit("release", figure, alternative, numbers, _csv_header(result), confidential=confidential)


def release_table(result: TablesResult, _: Colours) -> Exhibit | None:
    """Return the release in numbers; its CSV has the names of the cells and the released numbers alone."""
    if not result.released.size or result.table is None:
        return None
    numbers = pd.DataFrame({"cell": result.table.frame["cell"], "released": result.released})
    html, alternative = section.release_html(result), section.release_alternative_text(result)
    confidential = result.confidential_note(CONFIDENTIAL_RELEASE)
    return Exhibit("noisy_table", html, alternative, numbers, _csv_header(result), confidential=confidential)


def repeated_releases(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return what repeated releases preserve of each cell; nothing where there is no table or no mechanism."""
    if result.release_statistics is None or result.table is None:
        return None
    figure = figures.repeated_releases_figure(result, result.release_statistics, section.subtitle(result), colours)
    numbers = result.table.frame.assign(
        keeps_order=result.release_statistics.order,
        keeps_sign=result.release_statistics.sign,
        keeps_significance=result.release_statistics.significance,
    )
    alternative = section.repeated_alternative_text(result, result.release_statistics)
    header = _csv_header(result) | {"repeats": result.release_statistics.n_repeats}
    return Exhibit(
        "kept", figure, alternative, numbers, header, confidential=result.confidential_note(CONFIDENTIAL_PICTURE)
    )


def _csv_header(result: TablesResult) -> dict[str, Any]:
    return {"warning": without_markdown(section.TRIAL)} | result.release_csv_header
