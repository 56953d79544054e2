from pages.accuracy.page import PAGE
from pages.framework.layout import page_run

page_run.run(PAGE.entry, lambda: page_run.explanation(page_run.open_page(PAGE)))
