"""What the page shows: every chart and table as a function of one setting."""

from pages.composition import (
    accountants_exhibits,
    batching_exhibits,
    profile_exhibits,
    published_exhibits,
    together_exhibits,
    training_exhibits,
)
from pages.composition.found import CompositionResult, compute_result

ALL = (
    *together_exhibits.ALL,
    *accountants_exhibits.ALL,
    *profile_exhibits.ALL,
    *training_exhibits.ALL,
    *batching_exhibits.ALL,
    *published_exhibits.ALL,
)
__all__ = ["ALL", "CompositionResult", "compute_result"]
