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
    assert app.session_state.used["epsilon"] == "10"
    assert app.session_state.used["delta"] == "1e-5"


def test_what_a_preset_says_of_the_classical_formula_is_true():
    app = opened(epsilon="10", delta="1e-5", page="pages/1_Gaussian_bounds.py")
    assert "its σ = 0.4845 gives δ = 2.27e-5, not 1e-5" in text_of(app)
