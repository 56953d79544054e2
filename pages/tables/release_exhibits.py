"""One release of a table, for trial, and what repeated releases keep."""

from typing import Any

import pandas as pd

from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_RELEASE, Colours, Exhibit
from pages.framework.parameters.number_format import without_markdown
from pages.tables import release_figures, release_words
from pages.tables.found import Found


def release(found: Found, colour: Colours) -> Exhibit | None:
    """True counts beside one release; nothing where there is no table or no noise."""
    if not found.released.size or found.counts is None:
        return None
    figure = release_figures.release_figure(found, release_words.release_subtitle(found), colour)
    numbers = found.counts.frame.assign(released=found.released)
    said, confidential = release_words.release_alternative(found), found.confidential(CONFIDENTIAL_PICTURE)
    return Exhibit("release", figure, said, numbers, _header(found), confidential=confidential)


def noisy(found: Found, _: Colours) -> Exhibit | None:
    """The release in numbers; its CSV has the names of the cells and the released numbers, without the true ones."""
    if not found.released.size or found.counts is None:
        return None
    numbers = pd.DataFrame({"cell": found.counts.frame["cell"], "released": found.released})
    html, said = release_words.noisy_table(found), release_words.release_alternative(found)
    confidential = found.confidential(CONFIDENTIAL_RELEASE)
    return Exhibit("noisy_table", html, said, numbers, _header(found), confidential=confidential)


def kept(found: Found, colour: Colours) -> Exhibit | None:
    """What of each cell repeated releases keep; nothing where there is no table or no noise."""
    if found.kept is None or found.counts is None:
        return None
    figure = release_figures.kept_figure(found, found.kept, release_words.release_subtitle(found), colour)
    numbers = found.counts.frame.assign(
        keeps_order=found.kept.order, keeps_sign=found.kept.sign, keeps_significance=found.kept.significance
    )
    said = release_words.kept_alternative(found, found.kept)
    header = _header(found) | {"repeats": found.kept.n_repeats}
    return Exhibit("kept", figure, said, numbers, header, confidential=found.confidential(CONFIDENTIAL_PICTURE))


def _header(found: Found) -> dict[str, Any]:
    return {"warning": without_markdown(release_words.TRIAL)} | found.trial_header


ALL = (release, noisy, kept)
