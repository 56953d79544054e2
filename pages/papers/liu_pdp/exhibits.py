"""The chart of Liu's Fig. 3."""

from pages.framework.export.exhibit import Colours, Exhibit
from pages.papers.liu_pdp import figures, text
from pages.papers.liu_pdp.results import sigma_ratios
from pages.papers.results import PapersResult


def pdp_share(result: PapersResult, colours: Colours) -> Exhibit:
    """Return the chart of the pDP σ over the classical σ."""
    figure, header = figures.ratio_figure(sigma_ratios(), result.setting.delta, colours), result.setting.csv_header
    return Exhibit("pdp_share", figure, text.ALTERNATIVE_TEXT, sigma_ratios(), header)
