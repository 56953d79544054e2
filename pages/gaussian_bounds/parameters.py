"""What only this page asks: the bound that sets the noise on a table of counts, and a kept setting."""

from dpcore import comparison
from pages.shared.common import Pin
from pages.shared.formulas import short_name
from pages.shared.parameters import Choice

BOUND = Choice("bound", "bound", {each.key: short_name(each) for each in comparison.CALIBRATIONS}, "analytic")
PINNED = Pin("pinned", "pinned setting")
OWN = (BOUND, PINNED)
