"""What the page shows: every chart and table as a function of one setting."""

from pages.denoising.counts import exhibits as counts_exhibits
from pages.denoising.estimator_risk import exhibits as where_exhibits
from pages.denoising.map import exhibits as map_exhibits
from pages.denoising.means import exhibits as means_exhibits
from pages.denoising.results import DenoisingResult, compute_result
from pages.denoising.variance import exhibits as variance_exhibits

ALL = (
    *(*counts_exhibits.ALL, *where_exhibits.ALL, *map_exhibits.ALL),
    *(*variance_exhibits.ALL, *means_exhibits.ALL),
)
__all__ = ["ALL", "DenoisingResult", "compute_result"]
