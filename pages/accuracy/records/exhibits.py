"""The chart of the section on the number of records."""

from pages.accuracy.records import text
from pages.accuracy.records.figures import records_figure
from pages.accuracy.records.results import records_curves
from pages.accuracy.results import AccuracyResult, PinnedCurves, curves_frame
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.parameters.number_format import without_markdown


def records(result: AccuracyResult, colours: Colours) -> Exhibit | None:
    """Return the least number of records against ε; nothing where the sensitivity does not depend on it."""
    setting, width = result.setting, result.setting.facts.person_width
    if width is None:
        return None
    curves, pinned_curves = records_curves(setting, width), None
    pinned = result.pinned and result.pinned.setting
    if pinned is not None and pinned.facts.person_width is not None:
        pinned_curves = PinnedCurves(pinned.epsilon, records_curves(pinned, pinned.facts.person_width))
    subtitle = text.subtitle(width, setting)
    figure = records_figure(curves, setting.epsilon, setting.n_records, subtitle, colours, pinned_curves)
    alternative = without_markdown(" ".join(text.answer_text(result.least_records, setting, None)))
    numbers, header = (lambda: curves_frame(curves, "n_records")), result.csv_header
    return Exhibit("records", figure, alternative, numbers, header, ("epsilon", ""))
