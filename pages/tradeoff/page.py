"""The page of trade-off curves."""

from pages.framework.layout.page import Page, merged_section
from pages.shared.site_map import TRADEOFF
from pages.tradeoff import results as tradeoff_results
from pages.tradeoff.attack import section as attack
from pages.tradeoff.curve_list import curves_parameter
from pages.tradeoff.curves import section as curves_section
from pages.tradeoff.noise_from_risk import section as noise_from_risk
from pages.tradeoff.noise_from_risk.parameters import risk_corrections
from pages.tradeoff.quotation import section as quotation
from pages.tradeoff.results import compute_result

PAGE = Page(
    TRADEOFF,
    tradeoff_results.PARAMETERS,
    compute_result,
    sections=(
        merged_section(
            "Curves",
            tradeoff_results.SHOW,
            (curves_section.SECTION, quotation.SECTION),
            lambda result: result.setting.show,
        ),
        noise_from_risk.SECTION,
        attack.SECTION,
    ),
    correct=risk_corrections,
    parameters_with_data=lambda attack, points: tradeoff_results.own_parameters(curves_parameter(points or {})),
)
