from pages.framework.layout import page_run
from pages.meaning.page import PAGE

page_run.run(PAGE.entry, lambda: page_run.explanation(page_run.open_page(PAGE)))
