"""The page on composition: its parameters, its result, and its sections in their order."""

from pages.composition import parameters
from pages.composition.accountants import section as accountants
from pages.composition.batch_sampling import section as batch_sampling
from pages.composition.dp_sgd import section as dp_sgd
from pages.composition.groups import section as groups
from pages.composition.privacy_profile import section as privacy_profile
from pages.composition.published import section as published
from pages.composition.results import compute_result
from pages.composition.total_epsilon import section as total_epsilon
from pages.framework.layout.page import Page, merged_section
from pages.shared.site_map import COMPOSITION

PAGE = Page(
    COMPOSITION,
    parameters.PARAMETERS,
    compute_result,
    sections=(
        merged_section(
            "My releases",
            parameters.SHOW,
            (total_epsilon.SECTION, accountants.SECTION, groups.SECTION),
            lambda result: result.values["show"],
        ),
        privacy_profile.SECTION,
        merged_section(
            "A training",
            parameters.TRAINING_VIEW,
            (dp_sgd.SECTION, batch_sampling.SECTION),
            lambda result: result.values["training_view"],
            is_folded=True,
        ),
        published.SECTION,
    ),
    correct=parameters.correct,
)
