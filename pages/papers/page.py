"""The page of the papers whose figures and experiments are reproduced: its sections, paper by paper."""

from pages.framework.layout.page import Page
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.framework.parameters.pin import Pin
from pages.papers.balle_means import parameters as means_parameters
from pages.papers.balle_means import section as balle_means
from pages.papers.balle_variance import parameters as variance_parameters
from pages.papers.balle_variance import section as balle_variance
from pages.papers.liu_exponential import parameters as exponential_parameters
from pages.papers.liu_exponential import section as liu_exponential
from pages.papers.liu_pdp import section as liu_pdp
from pages.papers.liu_tables import parameters as tables_parameters
from pages.papers.liu_tables import section as liu_tables
from pages.papers.liu_tails import parameters as tails_parameters
from pages.papers.liu_tails import section as liu_tails
from pages.papers.results import compute_result
from pages.shared.bounded.parameters import bound_corrections, sensitivity_corrections
from pages.shared.counts.parameters import OWN_TABLE
from pages.shared.laplace_query import query_corrections
from pages.shared.shared_parameters import SEED
from pages.shared.site_map import PAPERS

_PINNED_PARAMETERS: tuple[Parameter, ...] = (*tails_parameters.PINNABLE, *exponential_parameters.PINNABLE)


def correct(values: Values) -> list[Correction]:
    """Return corrections of bounds and sensitivities that cannot be used together."""
    return [*bound_corrections(values), *sensitivity_corrections(values), *query_corrections(values)]


PINNED = Pin(_PINNED_PARAMETERS, correct)
PARAMETERS: tuple[Parameter, ...] = (
    *variance_parameters.PARAMETERS,
    *means_parameters.PARAMETERS,
    *tails_parameters.PARAMETERS,
    *tables_parameters.PARAMETERS,
    *exponential_parameters.PARAMETERS,
    *_PINNED_PARAMETERS,
    OWN_TABLE,
    SEED,
    PINNED,
)


PAGE = Page(
    PAPERS,
    PARAMETERS,
    compute_result,
    sections=(
        balle_variance.SECTION,
        balle_means.SECTION,
        liu_pdp.SECTION,
        liu_tails.SECTION,
        liu_tables.SECTION,
        liu_exponential.SECTION,
    ),
    correct=correct,
)
