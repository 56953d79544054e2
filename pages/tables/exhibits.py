"""What the page shows: every chart and table as a function of one setting."""

from pages.tables import noise_exhibits, paper_exhibits, release_exhibits, table_exhibits
from pages.tables.results import TablesResult, compute_result

ALL = (*noise_exhibits.ALL, *table_exhibits.ALL, *release_exhibits.ALL, *paper_exhibits.ALL)
__all__ = ["ALL", "TablesResult", "compute_result"]
