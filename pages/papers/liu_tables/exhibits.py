"""The charts and the table of Liu's experiments."""

from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit
from pages.papers.liu_tables import figures, svm_text, text
from pages.papers.liu_tables.results import releases_frame, scores_frame
from pages.papers.results import PapersResult


def _is_confidential(result: PapersResult) -> bool:
    """Return whether the experiment is on the user's own table."""
    return result.values["data"] == "table" and result.values["table"] == "own"


def releases(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return one release by each mechanism against the original counts (Figs. 6, 8, 10); nothing where ε is 0."""
    experiment = result.table_experiment
    if experiment is None or experiment.releases is None:
        return None
    cells_in_figure, all_releases = experiment.plotted_cells, experiment.releases
    names = [experiment.cells[place] for place in cells_in_figure] if experiment.cells else []
    releases_in_figure = {name: row[cells_in_figure] for name, row in all_releases.items()}
    subtitle = text.releases_subtitle(experiment)
    figure = figures.releases_figure(names, experiment.counts[cells_in_figure], releases_in_figure, subtitle, colours)
    parameters = {"epsilon": repr(experiment.epsilon), "delta": repr(experiment.delta)}
    alternative, header = text.releases_alternative_text(experiment), text.csv_header(experiment) | parameters
    confidential = CONFIDENTIAL_PICTURE if _is_confidential(result) else ""
    return Exhibit(
        "released", figure, alternative, lambda: releases_frame(experiment), header, confidential=confidential
    )


def distances(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return mean and standard deviation of a distance by mechanism, ε and δ (Figs. 7, 9, 11)."""
    experiment = result.table_experiment
    if experiment is None or experiment.results is None or experiment.is_exact:
        return None
    subtitle = text.distances_subtitle(experiment)
    figure = figures.distances_figure(experiment.results, experiment.distance, subtitle, colours)
    alternative, header = text.distances_alternative_text(experiment), text.csv_header(experiment)
    confidential = CONFIDENTIAL_FIGURES if _is_confidential(result) else ""
    return Exhibit("distances", figure, alternative, experiment.results, header, confidential=confidential)


def results(result: PapersResult, _: Colours) -> Exhibit | None:
    """Return the means and standard deviations of all three distances, as a table."""
    experiment = result.table_experiment
    if experiment is None or experiment.results is None or experiment.is_exact:
        return None
    html = text.results_html(experiment.results, experiment.post)
    alternative = text.distances_alternative_text(experiment)
    confidential = CONFIDENTIAL_FIGURES if _is_confidential(result) else ""
    return Exhibit(
        "experiment", html, alternative, experiment.results, text.csv_header(experiment), confidential=confidential
    )


def svm(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return how well machines predict that were trained on releases (Fig. 12); nothing where none was trained."""
    experiment = result.table_experiment
    if experiment is None or experiment.n_possible_cells is None or not experiment.session_data.scores:
        return None
    scores = experiment.session_data.scores
    figure = figures.svm_figure(scores, svm_text.subtitle(scores), colours)
    return Exhibit("svm", figure, svm_text.scores_text(scores), scores_frame(scores), text.csv_header(experiment))
