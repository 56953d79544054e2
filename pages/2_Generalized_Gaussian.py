from pages.generalized_gaussian import bounded_words, exhibits, sections, words
from pages.generalized_gaussian.parameters import OWN, correct
from pages.shared import frame
from pages.shared.contents import GENERALIZED_GAUSSIAN

page = frame.open_page(GENERALIZED_GAUSSIAN, OWN, exhibits.found, sections.SECTIONS, sections.answer, correct)
frame.explanation(lambda: f"{words.explanation(page.found)}\n\n{bounded_words.explanation(page.found)}")
