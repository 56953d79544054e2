"""What the page shows: every chart and table as a function of one setting."""

from pages.tables.cells import exhibits as table_exhibits
from pages.tables.experiments import exhibits as paper_exhibits
from pages.tables.mechanisms import exhibits as noise_exhibits
from pages.tables.release import exhibits as release_exhibits
from pages.tables.results import TablesResult, compute_result

ALL = (*noise_exhibits.ALL, *table_exhibits.ALL, *release_exhibits.ALL, *paper_exhibits.ALL)
__all__ = ["ALL", "TablesResult", "compute_result"]
