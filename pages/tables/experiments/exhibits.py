"""The pictures and the table of Liu's experiments."""

from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit
from pages.tables.experiments import figures, svm_text, text
from pages.tables.experiments.results import released_numbers, score_numbers
from pages.tables.results import TablesResult


def _is_own(result: TablesResult) -> bool:
    """Whether the experiment is on the user's own table."""
    return result.values["data"] == "table" and result.setting.table == "own"


def released(result: TablesResult, colour: Colours) -> Exhibit | None:
    """One release by each mechanism against the original counts (Figs. 6, 8, 10); nothing where ε is 0."""
    now = result.experiment
    if now is None or now.released is None:
        return None
    drawn, made = now.drawn, now.released
    cells = [now.cells[place] for place in drawn] if now.cells else []
    shown = {name: row[drawn] for name, row in made.items()}
    subtitle = text.released_subtitle(now)
    figure = figures.released_figure(cells, now.counts[drawn], shown, subtitle, colour)
    own = {"epsilon": repr(now.epsilon), "delta": repr(now.delta)}
    said, header = text.released_alternative(now), text.header(now) | own
    confidential = CONFIDENTIAL_PICTURE if _is_own(result) else ""
    return Exhibit("released", figure, said, lambda: released_numbers(now), header, confidential=confidential)


def distances(result: TablesResult, colour: Colours) -> Exhibit | None:
    """Mean and standard deviation of a distance by mechanism, ε and δ (Figs. 7, 9, 11)."""
    now = result.experiment
    if now is None or now.results is None or now.exact:
        return None
    subtitle = text.distances_subtitle(now)
    figure = figures.distances_figure(now.results, now.distance, subtitle, colour)
    said, header = text.distances_alternative(now), text.header(now)
    confidential = CONFIDENTIAL_FIGURES if _is_own(result) else ""
    return Exhibit("distances", figure, said, now.results, header, confidential=confidential)


def results(result: TablesResult, _: Colours) -> Exhibit | None:
    """The means and standard deviations of all three distances, as a table."""
    now = result.experiment
    if now is None or now.results is None or now.exact:
        return None
    html, said = text.table_html(now.results, now.post), text.distances_alternative(now)
    confidential = CONFIDENTIAL_FIGURES if _is_own(result) else ""
    return Exhibit("experiment", html, said, now.results, text.header(now), confidential=confidential)


def svm(result: TablesResult, colour: Colours) -> Exhibit | None:
    """How well machines predict that were trained on released cells (Fig. 12); nothing where none was trained."""
    now = result.experiment
    if now is None or now.possible is None or not now.held.scores:
        return None
    scores = now.held.scores
    figure = figures.svm_figure(scores, svm_text.subtitle(scores), colour)
    return Exhibit("svm", figure, svm_text.said(scores), score_numbers(scores), text.header(now))


ALL = (released, distances, results, svm)
