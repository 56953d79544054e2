from pages.gaussian_bounds import exhibits, sections, words
from pages.gaussian_bounds.fields import counts_field, counts_held
from pages.gaussian_bounds.parameters import OWN
from pages.shared import frame
from pages.shared.contents import GAUSSIAN_BOUNDS

page = frame.open_page(GAUSSIAN_BOUNDS, OWN, exhibits.found, sections.SECTIONS, sections.answer, held=(counts_held(),))
if page.section == "counts":
    counts_field()
frame.explanation(lambda: words.explanation(page.found.rows, page.found.setting))
