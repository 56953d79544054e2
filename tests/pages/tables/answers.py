"""The results, exhibits and texts of the section on the noise of a table."""

from functools import cache, lru_cache

import numpy as np

from dpcore import tables
from pages.framework.export.exhibit import Exhibit
from pages.shared.looks import COLOURS
from pages.tables.mechanisms.section import SECTION
from pages.tables.results import TablesResult
from tests.pages.conftest import exhibits_by_name, figure_of, found_by
from tests.pages.figure_checks import Numbers

TWELVE = {"table": "size", "cells": "12", "per_person": "3"}

SHIPPED = {"czech": tables.czech_autoworkers, "mildew": tables.mildew}


@cache
def counts_of(table: str) -> Numbers:
    return SHIPPED[table]()["count"].to_numpy()


@lru_cache(32)
def result_at(**link: str) -> TablesResult:
    return found_by("tables", **link)


def exhibits_of(result: TablesResult, scheme: str = "light") -> dict[str, Exhibit]:
    """Return the exhibits of the section, by name."""
    exhibits = [draw(result, COLOURS[scheme]) for draw in SECTION.exhibits]
    return {exhibit.name: exhibit for exhibit in exhibits if exhibit is not None}


def picture(name: str, **link: str):
    return figure_of(exhibits_by_name(result_at(**link), "tables")[name])


def line_points(figure, name: str):
    (match,) = (trace for trace in figure["data"] if trace["name"] == name)
    return np.asarray(match["x"], float), np.asarray(match["y"], float)
