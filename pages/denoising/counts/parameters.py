"""The parameters of the section on counts: their order, what is known of them, and which estimator is drawn."""

from dpcore.denoise import ESTIMATORS
from pages.framework.parameters.kinds import Choice, Quantity, steps
from pages.framework.parameters.parameter import Parameter

TABLE = Choice(
    "table", "table", {"mildew": "Barley mildew", "czech": "Czech autoworkers", "own": "My own table"}, "mildew"
)
_DISPLAYABLE = ESTIMATORS.keys() - {"none", "james_stein", "graph_wavelet"}

SIGNAL = Choice(
    "signal",
    "numbers",
    {"table": "A table of counts", "blocks": "Blocks, a trial series", "bumps": "Bumps, a trial series"},
    "table",
)
ORDER = Choice("order", "order of the cells", {"none": "In no order", "series": "In order: a series"}, "none")
PRIOR_SD = Quantity(
    "prior_sd",
    "w",
    "Standard deviation w of a count around 0, known before",
    "[1e-6, 1e9]",
    "20",
    help="The prior N(0, w²) of the posterior mean. It has to be known without the data.",
    ends="← shrinks more · w · less →",
    scale=steps(-1, 5, ("1", "2", "5")),
    caption="w · prior standard deviation",
)
TOTAL = Choice("total", "total", {"own": "Not public", "public": "Public"}, "own")
ESTIMATOR = Choice(
    "estimator",
    "estimator drawn",
    {"first": "The estimator that ranks first"}
    | {key: estimator.name for key, estimator in ESTIMATORS.items() if key in _DISPLAYABLE},
    "first",
)
PINNABLE: tuple[Parameter, ...] = (SIGNAL, ORDER, PRIOR_SD, TOTAL)
PARAMETERS: tuple[Parameter, ...] = (ESTIMATOR,)
