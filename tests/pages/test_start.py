from tests.pages.conftest import ROOT, opened, text_of


def test_the_start_page_answers_for_the_default_setting_and_names_every_page():
    app = opened()
    assert "At ε = 1, δ = 1e-6, sensitivity 1, the analytic Gaussian needs σ = 4.225." in text_of(app)
    pages = sorted((ROOT / "pages").glob("[0-9]*.py"))
    assert len(app.main.get("page_link")) == len(pages)
    assert len(app.sidebar.get("page_link")) == len(pages) + 1


def test_a_preset_sets_the_parameters_and_opens_the_page():
    app = opened()
    app.button(key="preset_Where the classical formula breaks").click().run()
    assert not app.exception
    assert app.query_params["epsilon"] == "10"
    assert app.query_params["delta"] == "1e-5"
