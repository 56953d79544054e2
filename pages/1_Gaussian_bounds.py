from pages.gaussian_bounds import exhibits, sections, words
from pages.gaussian_bounds.parameters import OWN
from pages.shared import frame
from pages.shared.contents import GAUSSIAN_BOUNDS

page = frame.open_page(GAUSSIAN_BOUNDS, OWN, exhibits.found, sections.SECTIONS, sections.answer)
frame.explanation(lambda: words.explanation(page.found.rows, page.found.setting))
