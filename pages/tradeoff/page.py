"""The page of trade-off curves."""

from pages.framework.layout.page import Page
from pages.shared.site_map import TRADEOFF
from pages.tradeoff import parameters
from pages.tradeoff.attack import section as attack
from pages.tradeoff.curve_list import curves_parameter
from pages.tradeoff.curves import section as curves
from pages.tradeoff.quotation import section as quotation
from pages.tradeoff.results import compute_result

PAGE = Page(
    TRADEOFF,
    parameters.PARAMETERS,
    compute_result,
    sections=(curves.SECTION, quotation.SECTION, attack.SECTION),
    parameters_with_data=lambda attack, points: parameters.own_parameters(curves_parameter(points or {})),
)
