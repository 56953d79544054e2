from pages.accuracy import exhibits, sections
from pages.accuracy.fields import budget_editor
from pages.accuracy.parameters import OWN, correct
from pages.shared import frame
from pages.shared.contents import ACCURACY

page = frame.open_page(ACCURACY, OWN, exhibits.found, sections.SECTIONS, sections.answer, correct)
if page.section == "budget":
    budget_editor(page.found.setting.budget, page.found.shares)
frame.explanation(lambda: page.found.explanation)
