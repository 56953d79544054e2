"""What the page shows: every chart and table as a function of one setting."""

from pages.composition.accountants import exhibits as accountants_exhibits
from pages.composition.batch_sampling import exhibits as batching_exhibits
from pages.composition.dp_sgd import exhibits as training_exhibits
from pages.composition.privacy_profile import exhibits as profile_exhibits
from pages.composition.published import exhibits as published_exhibits
from pages.composition.results import CompositionResult, compute_result
from pages.composition.total_epsilon import exhibits as together_exhibits

ALL = (
    *together_exhibits.ALL,
    *accountants_exhibits.ALL,
    *profile_exhibits.ALL,
    *training_exhibits.ALL,
    *batching_exhibits.ALL,
    *published_exhibits.ALL,
)
__all__ = ["ALL", "CompositionResult", "compute_result"]
