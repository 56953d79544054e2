"""Saved pictures of more settings than the tests have time for: nothing cut, nothing on top of another."""

import pytest
from playwright.sync_api import Page

from pages.export.__main__ import Save
from tests.browser.test_saved_pictures import texts_out_of_place

pytest_plugins = ("tests.browser.conftest",)

SETTINGS = [
    "/Gaussian_bounds",
    "/Gaussian_bounds?epsilon=0.001&delta=0.4",
    "/Generalized_Gaussian",
    "/Trade-off_curves",
    "/Trade-off_curves?view=errors",
    "/Trade-off_curves?view=log",
    "/Generalized_Gaussian?epsilon=0.02&delta=0.3&p=1&deltas=1e-6,1e-5,1e-4,1e-3,0.01,0.1&pinned=1,1e-6,1,0.05",
    "/Laplace_vs_Gaussian?epsilon=30&delta=1e-9&pinned=1,1e-6,1,0.05",
    "/Accuracy?epsilon=0.01&delta=1e-10&curves=all&pinned=1,1e-6,1,0.05",
    "/Laplace_vs_Gaussian",
    "/Accuracy",
]


@pytest.mark.parametrize("link", SETTINGS)
def test_no_text_of_a_saved_picture_is_cut_or_on_another(link: str, save: Save, drawing: Page, looking: Page) -> None:
    assert texts_out_of_place(link, save, drawing, looking) == []
