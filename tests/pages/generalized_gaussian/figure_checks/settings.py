"""The settings and scales that several sections of the page on generalized Gaussian noise share."""

from dpcore import generalized_gaussian as gg
from dpcore.generalized_gaussian import optimal_shape
from tests.pages.figure_checks import (
    log,
)

PINNED = "epsilon=0.5&delta=1e-5&p=4&guarantee=disjoint&bound_low=0&bound_high=20&true_value=3"
OTHER = {"epsilon": "0.5", "delta": "0.01", "l2_sensitivity": "2", "p": "2.5", "significance": "0.1", "pinned": PINNED}
EPSILON = log("ε (nats)")
SCALES = {"adp": gg.adp_scale, "exact_pdp": gg.exact_pdp_scale, "disjoint": gg.pdp_scale_disjoint}
GUARANTEES = {"adp": optimal_shape.ADP, "exact_pdp": optimal_shape.EXACT_PDP, "disjoint": optimal_shape.DISJOINT}
