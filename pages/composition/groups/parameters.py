"""The parameters of the section "Groups and models": the people of a group, and the reports that are shuffled."""

from pages.framework.parameters.kinds import Quantity, steps
from pages.shared.glossary_links import more_text

GROUP = Quantity(
    "group",
    "g",
    "People g of a group, or records g of one person",
    "[1, 1000]",
    "3",
    help="A household, or one person with several records where the guarantee is for one record."
    + more_text("group_privacy", "group privacy"),
    whole=True,
    ends="← fewer · g · more →",
    scale=("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12", "15", "20", "30", "50", "70", "100"),
    caption="g · people together",
)
LOCAL_EPSILON = Quantity(
    "local_epsilon",
    "ε₀",
    "Local privacy loss ε₀ of each report",
    "[1e-3, 20]",
    "1",
    help="Every person randomises the answer before sending it. Against those who see who sent it, ε₀-DP holds."
    + more_text("local_dp", "local DP"),
    ends="← more private · ε₀ · less private →",
    scale=("0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5", "2", "3", "4", "5", "6", "8", "10"),
    caption="ε₀ · local privacy loss",
)
REPORTS = Quantity(
    "reports",
    "n",
    "Reports n that a shuffler mixes, one of each person",
    "[1, 1e6]",
    "10000",
    whole=True,
    ends="← fewer · n · more →",
    scale=steps(1, 6, ("1", "2", "5")),
    caption="n · shuffled reports",
)
GROUP_PARAMETERS = (GROUP, LOCAL_EPSILON, REPORTS)
