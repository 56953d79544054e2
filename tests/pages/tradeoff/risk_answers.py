"""The section Noise from risk at a setting: its result, its answer, its corrections, and numbers in sentences."""

import re
from urllib.parse import parse_qsl

from pages.framework.layout.page import load_page
from pages.shared.site_map import COMPOSITION
from pages.tradeoff.noise_from_risk import section
from tests.pages.conftest import found_by, read_link

PAGE = "tradeoff"
GAUSSIAN_POWER = {"section": "risk", "risk": "power", "noise": "gaussian"}


def result_at(**link):
    return found_by(PAGE, **GAUSSIAN_POWER | link)


def answer(**link):
    return section.answer_text(result_at(**link))


def problems(**link):
    readings, _ = read_link(PAGE, **GAUSSIAN_POWER | link)
    return [reading.problem for reading in readings.values() if reading.problem]


def number_after(mark, text):
    return float(re.findall(rf"{mark}([0-9.,e-]*[0-9])", text)[0].replace(",", ""))


def composition_answer(links: str) -> float:
    """Return the ε that Composition states for the link to it."""
    address, *_ = re.findall(r"\(\./Composition\?([^)]*)\)", links)
    (sentence, *_) = load_page(COMPOSITION).answer_text(found_by("composition", **dict(parse_qsl(address))))
    return number_after("ε = ", sentence)
