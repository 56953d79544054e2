"""What the page shows: every chart and table as a function of one setting."""

from pages.composition import together_exhibits
from pages.composition.found import Found, found

ALL = together_exhibits.ALL
__all__ = ["ALL", "Found", "found"]
