"""The page of trade-off curves."""

from pages.framework.layout.merged_section import merged_section
from pages.framework.layout.page import Page
from pages.shared.site_map import TRADEOFF
from pages.tradeoff import parameters
from pages.tradeoff.attack import section as attack
from pages.tradeoff.curve_list import curves_parameter
from pages.tradeoff.curves import section as curves
from pages.tradeoff.noise_from_risk import section as noise_from_risk
from pages.tradeoff.noise_from_risk.limit_parameters import risk_corrections
from pages.tradeoff.quotation import section as quotation
from pages.tradeoff.results import compute_result

PAGE = Page(
    TRADEOFF,
    parameters.PARAMETERS,
    compute_result,
    sections=(
        merged_section(
            "Curves", parameters.SHOW, (curves.SECTION, quotation.SECTION), lambda result: result.setting.show
        ),
        noise_from_risk.SECTION,
        attack.SECTION,
    ),
    correct=risk_corrections,
    parameters_with_data=lambda attack, points: parameters.own_parameters(curves_parameter(points or {})),
)
