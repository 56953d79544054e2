"""What each trace of the page on composition must show, section by section: see `tests.pages.figure_checks`."""

from tests.pages.composition.figure_checks import (
    accountants,
    batch_sampling,
    dp_sgd,
    groups,
    privacy_profile,
    published,
    total_epsilon,
)
from tests.pages.figure_checks import joined

SETTINGS, CHARTS = joined(total_epsilon, accountants, privacy_profile, dp_sgd, batch_sampling, published, groups)
