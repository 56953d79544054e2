from pages.framework.layout import page_run
from pages.survey.page import PAGE

page_run.run(PAGE.entry, lambda: page_run.explanation(page_run.open_page(PAGE)))
