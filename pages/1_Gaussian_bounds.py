from pages.framework.layout import page_run
from pages.gaussian_bounds.page import PAGE

page_run.run(PAGE.entry, lambda: page_run.explanation(page_run.open_page(PAGE)))
