import pytest

from pages.shared import contents
from pages.start import glossary, sections
from tests.pages.conftest import ROOT, link_of, opened, stage_of, text_of


def test_the_start_page_answers_for_the_default_setting_and_names_every_page():
    app = opened()
    assert "At ε = 1, δ = 1e-6, sensitivity 1, the analytic Gaussian needs σ = 4.225." in text_of(app)
    pages = sorted((ROOT / "pages").glob("[0-9]*.py"))
    assert len(pages) == len(contents.PAGES) - 1
    assert len(app.main.get("page_link")) == len(pages) + len(sections.PRESETS)
    assert app.sidebar.get("html")[0].proto.body.count("<a ") == len(pages) + 2  # this page, and the glossary


def test_a_preset_leads_to_the_bounds_at_its_setting():
    app = opened()
    links = {each.proto.label: each.proto.query_string for each in app.main.get("page_link")}
    assert "epsilon=10&delta=1e-5&" in links["Where the classical formula breaks"]


@pytest.mark.parametrize("term", ["(ε, δ)-DP", "μ", "Corollary 9", "Hull"])
def test_the_glossary_says_what_a_word_of_the_pages_means(term):
    app = opened(section="glossary")
    assert f"{term}: {glossary.TERMS[term]}" in text_of(app)
    assert stage_of(app)["strip"] == []
    assert link_of(app)["section"] == "glossary"
