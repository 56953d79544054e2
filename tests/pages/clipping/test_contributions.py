"""The section "Contributions": its numbers, its sentences, and own data."""

import re

import numpy as np
import pytest

from dpcore import clipping, verify
from pages.clipping.contributions import section
from pages.clipping.page import PAGE
from pages.clipping.results import counted_people
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES
from pages.framework.layout import panels
from pages.framework.link import values as values_of
from pages.framework.session.data_files import DataFiles
from pages.shared.values.parameters import CHOICES, read_upload
from tests.pages.conftest import exhibits_by_name, expect_complete, found_by, html_of, read_link
from tests.pages.shared.test_release_program import plan_in

TOPIC = "clipping"
ANSWERS = {"contribution": "limited", "fixed": "yes"}


def result_at(**link):
    return found_by(TOPIC, **{"section": "contributions"} | link)


def answer(**link):
    return section.SECTION.answer_text(result_at(**link))


def test_the_answer_has_the_best_of_all_limits_and_how_much_worse_the_users_is():
    first, second = answer(mean_records="3", cells="20", limit="30")
    limits = np.arange(1, 200)
    errors = clipping.contribution_error(
        clipping.geometric_records(3, 10_000), limits, 1.0, clipping.LimitedTable(n_cells=20)
    )
    best = int(limits[np.argmin(errors.cell_error)])
    assert first.startswith(f"Keeping **{best}** records per person leaves an error of **")
    stated = float(re.findall(r"an error of \*\*([0-9.,]+)\*\*", first)[0].replace(",", ""))
    assert errors.cell_error.min() <= stated <= errors.cell_error.min() * 1.001
    ratio = float(re.findall(r"([0-9.]+) times as large", second)[0])
    assert ratio == pytest.approx(errors.cell_error[29] / errors.cell_error.min(), rel=1e-3)
    dropped = float(re.findall(r"it drops ([0-9.e-]+) %", second)[0])
    assert dropped == pytest.approx(100 * errors.dropped_share[best - 1], rel=1e-3)


def test_the_best_limit_for_all_cells_at_once_is_that_at_the_significance_of_the_page():
    result = result_at(mean_records="30", cells="200", epsilon="0.5", limit_error="all_half_width", significance="1e-9")
    records, limits = clipping.geometric_records(30, 10_000), np.arange(1, 400)
    errors = clipping.contribution_error(records, limits, 0.5, clipping.LimitedTable(n_cells=200), 1e-9)
    assert result.contributions.best_limit == limits[np.argmin(errors.all_half_width)]


def test_the_answer_says_in_plain_words_what_is_assumed_and_whether_a_record_is_dropped():
    assert answer()[1].startswith(
        "If people have 5.4 records on average, it drops 0.3969 % of the records; at your limit"
    )
    assert answer(people="zipf")[1].startswith("If a few people have many records, it drops ")
    second = answer(mean_records="1", limit="3")[1]
    assert second.startswith("If people have 1 record on average, it drops no record; at your limit of 3 the error")
    own = {"source": "own", "own": "1;1", "cells": "1", "limit_error": "total_error", "epsilon": "1.4142135623730952"}
    assert (
        answer(**own)[0]
        == "Keeping **1** record per person leaves an error of **1** record in the total (ε = 1.414214)."
    )


@pytest.mark.parametrize("noise", clipping.NOISES)
def test_the_displayed_noise_satisfies_the_guarantee_at_the_displayed_limit(noise):
    result = result_at(noise=noise, cells="40", mean_records="3")
    lines = list(panels.proof_lines(section.SECTION.claims(result), verify))
    assert [line[0] for line in lines] == ["✓" if noise in ("laplace", "geometric", "gaussian") else "–", "–"]


def test_the_error_of_the_answer_is_that_of_simulated_tables():
    rng, n, m = np.random.default_rng(4), 2000, 12
    records = np.full(4, m)  # everybody is in every cell, so that all cells have the same bias
    link = {"source": "own", "own": ";".join(map(str, records)), "cells": str(m), "epsilon": "2"}
    result = result_at(**link)
    k = result.contributions.best_limit
    errors = np.empty((n, m))
    for release in range(n):
        error = rng.laplace(0, k / 2, m)
        for count in records:
            cells = rng.permutation(m)[:count]
            np.subtract.at(error, cells[min(count, k) :], 1)
        errors[release] = error
    stated = float(re.findall(r"an error of \*\*([0-9.,]+)\*\*", answer(**link)[0])[0])
    squares = np.mean(errors**2, axis=1)
    spread = 4 * squares.std() / np.sqrt(n)
    assert np.mean(squares) == pytest.approx(stated**2, abs=spread + 0.002 * stated**2)


def test_records_of_the_session_are_counted_for_each_person():
    file = "trips.csv", b"rider;miles\nAnn;2\nBob;5.5\nAnn;3\nCid;40\n"
    link = values_of(read_link(TOPIC, source="own", section="contributions")[0])
    without = PAGE.compute(link, read_upload(DataFiles({"file": file}, CHOICES)).content)
    assert section.SECTION.answer_text(without)[0].startswith("Numbers of records must be whole numbers from 0")
    result = PAGE.compute(link, read_upload(DataFiles({"file": file}, CHOICES | {"person": "rider"})).content)
    assert result.contributions is not None
    assert result.contributions.counts.n_people.tolist() == [2, 1]
    exhibits = {
        name: exhibit for name, exhibit in exhibits_by_name(result, TOPIC).items() if name in ("limits", "dropped")
    }
    for exhibit in exhibits.values():
        expect_complete(exhibit)
        assert exhibit.confidential == CONFIDENTIAL_FIGURES
    assert section.SECTION.answer_text(result_at(source="own")) == section.MISSING


def test_very_many_different_numbers_of_records_are_rounded_up():
    records = np.arange(1.0, 20_001)
    counts = counted_people(records)
    assert counts.records.size <= 5000
    assert counts.n_people.sum() == 20_000
    assert 1 <= counts.records @ counts.n_people / records.sum() <= 1.01


def test_weights_are_refused_for_whole_noise_and_the_link_takes_the_limit_along():
    readings, _ = read_link(TOPIC, section="contributions", noise="geometric", dropping="weight")
    assert readings["dropping"].problem == (
        "what is dropped must be random for noise on the whole numbers; weight was given. random is used instead."
    )
    assert "per_person=15&per_cell=1" in section.links_text(*_with_limits(cells="100", epsilon="0.5"))
    assert "per_person=1&per_cell=27" in section.links_text(*_with_limits(cells="12"))
    assert answer(pinned="epsilon=0.1")[-1].startswith("Pinned: r = 17 leaves an error of")
    assert "at most 27 records count" in stated(cells="12").public
    assert html_of(exhibits_by_name(result_at(), TOPIC)["limits"]).count("<tr>") == 4


def stated(**link):
    statements = section.SECTION.statements(result_at(**link))
    assert statements
    return statements


def test_the_statements_have_of_own_data_only_the_limit_that_was_entered():
    """The best limit, 1, and the share of the records that it drops come from the data."""
    own = {"source": "own", "limit": "4", "noise": "geometric"}
    assert _with_limits(own="1;2;5;9;100", **own)[1].best_limit == 1
    assert stated(own="1;2;5;9;100", **own) == stated(own="77;2;5", **own)
    assert "at most 4 records count, chosen at random" in stated(own="1;2;5;9;100", **own).public
    assert "geometric noise, scale 4, drawn anew" in stated(own="1;2;5;9;100", **own).experts
    weighted = stated(people="zipf", spread="one_cell", dropping="weight", limit="1")
    assert "Each person counts as at most" in weighted.public
    assert "one person changes one cell by" in weighted.experts
    several = stated(noise="discrete_gaussian", cells="100").experts
    assert "composed over the cells of one person" in several
    assert "within" not in stated(noise="truncated_laplace").public


def test_a_limit_that_is_computed_from_own_data_is_said_to_reveal_something_about_them():
    assert "This limit comes from your own data" in answer(source="own", own="1;2;5;9;100", limit="4")[1]
    assert "your own data" not in answer()[1]


@pytest.mark.parametrize(
    ("dropping", "limit"),
    [
        ("random", "what a person has beyond the limit is dropped at random"),
        ("weight", "a person with more records is weighted down to the limit"),
    ],
)
def test_the_condition_on_the_limit_is_that_of_the_way_in_which_records_are_dropped(dropping, limit):
    conditions = section.SECTION.conditions(result_at(dropping=dropping))
    assert conditions is not None
    assert conditions.items[0].words == limit


def _with_limits(**link):
    result = result_at(**link)
    return result, result.contributions


@pytest.mark.parametrize(
    ("link", "limits"),
    [
        ({"cells": "12", "limit": "3"}, None),
        ({"noise": "laplace", "spread": "one_cell"}, None),
        ({"noise": "gaussian", "cells": "2", "mean_records": "30"}, None),
        ({"noise": "discrete_gaussian", "cells": "40", "delta": "1e-4"}, None),
        ({"source": "own", "own": "1;2;9", "limit": "3", "cells": "5", **ANSWERS}, (3, 1, 3)),
        ({"source": "own", "own": "1;2;9", "limit": "3", "cells": "2", **ANSWERS}, (2, 3, 3)),
    ],
)
def test_the_program_keeps_as_many_records_of_a_person_as_the_noise_is_made_for(link, limits):
    result = result_at(**link)
    contributions, setting = result.contributions, result.setting
    files = section.SECTION.downloads(result)
    assert files is not None
    plan = plan_in(files.files[0].content("https://example.org").decode())
    (statistic,) = plan["statistics"]
    most = statistic["max_cells"], statistic["max_in_cell"], statistic["max_in_all"]
    assert limits in (None, most)
    limit = most[2]
    assert limit == (contributions.setting.limit if setting.is_own else contributions.best_limit)
    # A person moves one cell by the most that may be in it, or as many cells by one as records are kept.
    moved = [np.ones(limit)] if most[1] == 1 else [np.array([limit])]
    assert statistic["l1"] == max(change.sum() for change in moved)
    assert statistic["l2"] == pytest.approx(max(np.linalg.norm(change) for change in moved))
    error = contributions.yours if setting.is_own else contributions.best
    assert (statistic["noise"], statistic["scale"]) == (setting.noise, float(error.noise_scale))
    assert statistic["n_cells"] == setting.cells
    assert (plan["epsilon"], plan["neighbours"]) == (setting.epsilon, "add_remove")
    assert plan["delta"] == (setting.noise_delta or 0)


@pytest.mark.parametrize(
    "link", [{"dropping": "weight", "noise": "laplace"}, {"noise": "truncated_laplace"}, {"source": "own"}]
)
def test_no_program_by_weight_for_truncated_noise_or_without_records(link):
    assert section.SECTION.downloads(result_at(**link)) is None
