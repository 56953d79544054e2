"""What the page shows: every chart and table as a function of one setting."""

from pages.denoising import counts_exhibits, map_exhibits, means_exhibits, variance_exhibits, where_exhibits
from pages.denoising.found import DenoisingResult, compute_result

ALL = (
    *(*counts_exhibits.ALL, *where_exhibits.ALL, *map_exhibits.ALL),
    *(*variance_exhibits.ALL, *means_exhibits.ALL),
)
__all__ = ["ALL", "DenoisingResult", "compute_result"]
