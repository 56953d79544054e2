"""The kinds of query of the page Plan that are no plain number with noise, and how often a row is published."""

import math
import re
from dataclasses import fields, replace
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

import pytest

from dpcore import plan
from pages.framework.parameters.number_format import format_up
from pages.framework.parameters.parameter import PartlyUsableError
from pages.plan.figures import plan_table_html
from pages.plan.kind_record import Range
from pages.plan.links import PRESETS, composition_link, query_link
from pages.plan.page import PAGE
from pages.plan.proposals import first_half_width, half_width_problem
from pages.plan.queries import QUERIES, new_item
from pages.plan.query_kinds import KINDS
from pages.plan.release_call import PlanFile, program_calls
from pages.plan.results import PlanResult
from pages.plan.statements import downloads, statements
from pages.plan.text import answer_text, exclusions_text, steps_text
from pages.shared.other_libraries import DPCORE
from pages.shared.release_program.steps.options import PERSON
from pages.shared.site_map import ACCURACY
from pages.shared.values.parameters import distribution
from tests.pages.conftest import exhibits_by_name, figure_of, found_by, html_of, read_link
from tests.pages.plan.figure_checks import STATISTICS
from tests.pages.plan.test_text import SETTINGS, result_of, with_delta
from tests.programs import printed


def test_the_total_of_the_new_kinds_is_that_of_dpcore_with_a_tenth_of_delta_for_thresholds():
    median = plan.Quantile(distribution("lognormal", 30, 84, 2000), 0.5, 0, 600, 1)
    queries = [
        plan.query(2, median),
        plan.query(15, plan.Largest(23)),
        plan.query(60, plan.UnknownGroups(3, threshold_delta=5e-8), n_releases=2),
        plan.query(60, plan.Series(24, 4)),
        plan.query(40, plan.Series(24, 4, published="window", window=6)),
        plan.query(30, plan.Series(24, 4, published="each")),
        plan.query(9, n_releases=12),
    ]
    total = float(plan.choose(queries, 1e-6).total.value)
    result = with_delta(queries=STATISTICS)
    assert f"ε = {format_up(total)} at δ" in answer_text(result)[0]
    assert "permute-and-flip for 2" in answer_text(result)[1]


def test_the_table_has_the_threshold_beside_its_rounded_scale_and_the_steps_say_what_is_drawn():
    result = with_delta(queries=STATISTICS)
    groups = result.planned_queries[2]
    assert result.plan is not None
    assert groups.threshold is not None
    release = plan.UnknownGroups(3, threshold_delta=5e-8).threshold("gaussian", float(format_up(groups.noise.scale)))
    assert groups.threshold == release.threshold > float(result.plan.thresholds[2].threshold)
    assert f"τ = {format_up(groups.threshold)}" in plan_table_html(result)
    for words in ("draw them with the ε", "at least τ", "strategy"):
        assert words in steps_text(result)
    found = statements(result)
    assert found is not None
    assert f"groups whose noisy count reaches {format_up(groups.threshold)}, each with margin " in found.public
    assert "a group counted as 60 appears in 95 of 100 releases" in found.public
    assert "Median (margin 2 for values as assumed)" in found.public
    only = "That holds of Median only for values as assumed (median about 30, 90th percentile about 84, n = 2000)."
    assert all(only in text for text in (found.public, found.paper))
    assert "and 2 published statistics are drawn" in found.public


def test_the_table_has_the_queries_in_the_order_of_the_list_and_the_total_at_its_end():
    rows = "sum:300,0,50=Zeta;count:9=Alpha;groups:60,3,1=Mid;count:1e-99=Beta;count:3=Aleph"
    result = with_delta(queries=rows, promise="pure")
    body = plan_table_html(result).partition("<tbody>")[2]
    heads = re.findall(r"<tr[^>]*><t[hd][^>]*>(.*?)</t", body)
    assert heads == ["Zeta", "Alpha", "Mid", "Beta", "Aleph", "All together"]
    assert [row.name for row in result.rows if row.query is None] == ["Mid"]


def test_a_row_is_published_as_often_as_it_says_in_each_period():
    once, often = (with_delta(queries=f"count:20{flag}=A", periods="3") for flag in ("", "*times:12"))
    assert [result.planned_queries[0].query.n_releases for result in (once, often)] == [3, 36]
    assert "released 12 times" in often.rows[0].item.summary
    assert QUERIES.read("count:20*times:12=A")[0].link_text() == "!count:20*times:12=A"


def test_unknown_groups_have_no_place_in_a_pure_plan_and_a_list_has_few_quantiles():
    pure = with_delta(queries="count:5;groups:60,3,1=G", promise="pure")
    assert "a threshold requires δ" in exclusions_text(pure)
    many = with_delta(queries=";".join(["quantile:2,0.5,0,600,1,30,84,200"] * 5))
    assert len(many.planned_queries) == KINDS["quantile"].most_in_list == 4
    assert "at most 4 of “Median or quantile”" in exclusions_text(many)


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("quantile:2,0.5,0,600,0.01,30,84,2000", "step must be from 0.6 to 1e13; 0.01 was given"),
        ("quantile:2,0.5,0,600,1,30,20,2000", "the 90th percentile must be from 30.6 to 15000; 20 was given"),
        ("groups:60,0,1", "k must be a whole number from 1 to 1e4; 0 was given"),
        ("running:60,500,1,1", "T must be a whole number from 1 to 120; 500 was given"),
        ("count:5*times:0", "times must be a whole number from 1 to 1e4; 0 was given"),
    ],
)
def test_numbers_that_no_statistic_has_are_refused_in_a_sentence(row, problem):
    with pytest.raises(PartlyUsableError) as mended:
        QUERIES.read(row)
    assert problem in mended.value.problems[0].replace(",", "")


def alone(kind: str, half_width: str = "") -> PlanResult:
    """Return the plan of a new query of a kind alone, with its numbers in the smallest range."""
    item = new_item(kind)
    unit = tuple("1" if name == "high" else text for name, text in zip(KINDS[kind].numbers, item.numbers, strict=True))
    item = replace(item, numbers=unit if KINDS[kind].is_clipped else item.numbers, half_width=half_width)
    return with_delta(queries=replace(item, half_width=half_width or first_half_width(item)).link_text())


@pytest.mark.parametrize("kind", KINDS)
def test_the_link_of_a_kind_opens_a_page_that_takes_all_of_it_and_has_the_same_sensitivity(kind):
    result = alone(kind)
    (part,) = result.planned_queries
    own, link = KINDS[kind].own_page, query_link(result)
    assert (own is None) == (link == "")
    if own is None:
        return
    address = urlsplit(link.rpartition("(")[2].removesuffix(")"))
    assert address.path == f"./{own.page.path}"
    entries = dict(parse_qsl(address.query, keep_blank_values=True))
    readings, problems = read_link(own.page.topic, **entries)
    assert problems == []
    assert {key: reading.problem for key, reading in readings.items() if reading.problem} == {}
    assert [entries[key] for key in own.keys if key] == [
        text for key, text in zip(own.keys, part.row.item.numbers, strict=True) if key
    ]
    opened = found_by(own.page.topic, **entries)
    if own.has_guarantee:
        sensitivity = opened.setting.facts if own.page == ACCURACY else opened.sensitivity
        assert (sensitivity.l1, sensitivity.l2) == pytest.approx((part.query.l1, part.query.l2))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_of_a_kind_follows_from_the_arguments_of_its_record(kind):
    """A noisy statistic of values in a range clips them, and one of n records has n in its sensitivity."""
    record = KINDS[kind].record
    arguments, is_noisy = {field.name for field in fields(cast(Any, record))}, not record.is_choice
    said = statements(alone(kind))
    assert said is not None
    assert ("Values are cut to fixed ranges." in said.public) == (is_noisy and "low" in arguments)
    conditions = PAGE.conditions_of(alone(kind))
    assert conditions is not None
    for text in (said.public, conditions.sentence, conditions.qualifier):
        assert ("ranges, cells and record numbers were fixed" in text) == (is_noisy and "n_records" in arguments)


@pytest.mark.parametrize("kind", KINDS)
def test_the_error_of_a_kind_is_held_against_what_one_person_moves_or_the_range_of_the_answer(kind):
    result = alone(kind)
    (part,) = result.planned_queries
    item, size = part.row.item, KINDS[kind].size
    assert half_width_problem(item) == ""
    width, moved = size.of(item.values), part.query.pure or part.query
    if isinstance(size, Range):
        assert not part.query.l1 or 0 < width <= part.query.l1 * item.values["n_records"] * (1 + 1e-9)
        for wrong in (0.51 * width, 30_000 * width):
            assert "nothing to say" in half_width_problem(replace(item, half_width=f"{wrong:.6g}"))
    else:
        assert part.is_choice or width == pytest.approx(moved.largest)
        assert "less than one person adds" in half_width_problem(replace(item, half_width=f"{0.99 * width:.6g}"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_programs_of_a_kind_make_what_the_page_says(kind):
    result = alone(kind)
    (part,) = result.planned_queries
    own = next(snippet for snippet in PAGE.snippets_of(result) if snippet.library == DPCORE)
    assert printed(own) == pytest.approx(own.page_values, rel=1e-12)
    files = downloads(result)
    assert files is not None
    assert bool(files.files) == (not KINDS[kind].is_computed)  # numbers that the user computes need others beside
    assert ("There is no program" in files.text) == (not files.files)
    assert ("The numbers go to the folder `release`" in files.text) == bool(files.files)
    assert f"{format_up(part.half_width)}" in part.error_words


@pytest.mark.parametrize("kind", KINDS)
def test_the_call_of_the_program_is_the_same_with_a_file_of_the_user_and_without(kind):
    limits = {"cap": "3", "cap_periods": "2"} if KINDS[kind].cap else {}
    for own in ({}, limits):
        items = replace(new_item(kind), name="One", **own), replace(new_item("count"), name="Two", times="12")
        files = downloads(with_delta(queries=";".join(item.link_text() for item in items)))
        assert files is not None
        assert files.calls == tuple(program_calls(items, ["One", "Two"], PlanFile((), PERSON), {}, {}))
        assert len(files.calls) == 2
        assert "--only Two --for MONTH" in files.calls[1]


def test_each_kind_opens_on_its_own_page_and_a_threshold_is_a_line_of_composition():
    pages = ["A_median", "A_median", "Tables", "A_series", "A_series", "A_series", "Accuracy"]
    rows = STATISTICS.removeprefix("!").split(";")
    for place, page in enumerate(pages):
        chosen = ";".join(f"{'!' * (place == at)}{row}" for at, row in enumerate(rows))
        assert f"/{page}?" in query_link(with_delta(queries=chosen))
    assert "approx%3A0%2C5e-8%2A2%3DThreshold" in composition_link(with_delta(queries=STATISTICS))


GROUPS = "!count:20=A;table:40,60,6,1=B;groups:60,3,1=Diagnosis *codes*"


def test_groups_from_the_data_are_named_in_every_length_and_only_other_cells_can_be_denied():
    said = (
        "the groups of “Diagnosis codes” come from the data and are published from a threshold on, and all other "
        "ranges and cells were fixed in advance"
    )
    for choice in ("yes", "unknown"):
        result = with_delta(queries=GROUPS, fixed=choice)
        conditions, texts = PAGE.conditions_of(result), PAGE.statements_of(result)
        assert conditions is not None
        assert texts is not None
        assert conditions.refusal is None
        assert all(said in text for text in (conditions.sentence, *texts.by_length.values()))
        assert conditions.note == ""
    first = PAGE.answer_text(with_delta(queries=GROUPS))[0]
    assert first.endswith(" and all but the groups of “Diagnosis codes” was fixed in advance.")
    denied = PAGE.conditions_of(with_delta(queries=GROUPS, fixed="some"))
    assert denied is not None
    assert denied.refusal is not None
    assert "other than the groups of “Diagnosis codes”" in denied.refusal[0]
    assert denied.items[1].options["some"] == "Some other ranges or cells come from the data"
    alone = PAGE.conditions_of(with_delta(queries="groups:60,3,1=Codes", fixed="some"))
    assert alone is not None
    assert alone.refusal is None
    assert alone.note == "The groups of “Codes” come from the data and are published from a threshold on."
    assert [item.parameter.key for item in alone.items] == ["contribution", "curator", "others"]


def test_the_clinic_counts_codes_of_all_visits_and_an_error_says_what_it_leaves_out():
    rows = {item.name: item for item in QUERIES.read(PRESETS["clinic"]["queries"])}
    visits, codes = rows["Monthly visits"], rows["Diagnosis codes"]
    assert codes.values["groups_per_person"] >= int(visits.cap) * visits.n_years
    assert "what they cut is in no ±" in KINDS["groups"].error


def test_groups_with_a_limit_in_all_say_it_and_open_on_their_page_with_it():
    for flags, n, years in (("*cap:2", "2", 1), ("*cap:1,periods:2", "1", 2)):
        result = with_delta(queries=f"!groups:90,3,4{flags}=Codes;count:20=People")
        part, where = result.planned_queries[0], f"{n} per person in {'all' if years == 1 else 'each of 2 years'}"
        assert where in part.row.item.summary
        assert (part.query.l1, part.query.l2) == pytest.approx((2, 2))
        assert result.epsilon < with_delta(queries="!groups:90,3,4=Codes;count:20=People").epsilon
        conditions, said = PAGE.conditions_of(result), statements(result)
        assert conditions is not None
        assert said is not None
        words = f"in at most 3 groups, at most 4 in each group, at most {where.replace(' per person', '')}"
        assert words in conditions.sentence
        assert words in said.public
        own = next(snippet for snippet in PAGE.snippets_of(result) if snippet.library == DPCORE)
        assert f"cap={n}" in own.code
        assert printed(own) == pytest.approx(own.page_values, rel=1e-12)
        entries = dict(parse_qsl(urlsplit(query_link(result).rpartition("(")[2].removesuffix(")")).query))
        own_page = KINDS["groups"].own_page
        assert own_page is not None
        opened = found_by(own_page.page.topic, **entries).appearance
        assert (opened.groups_per_person, opened.contributions, opened.total) == (3, 4, 2)


def test_the_condition_on_one_person_has_the_whole_limit_of_each_query():
    queries = f"{GROUPS};each:40,36,12,1*cap:4,periods:3;largest:90,9,2;histogram:40,9*cap:3"
    result = with_delta(queries=queries)
    conditions = PAGE.conditions_of(result)
    assert conditions is not None
    assert conditions.items[0].words == (
        "each person counts once, but in “{}” in at most 6 cells, once each, and in “{}” in at most 3 groups, once "
        "each, and in “{}” in at most 12 months, once each, at most 4 in each of 3 years, and in “{}” at most 2 in "
        "each count, and in “{}” at most 3 in all"
    ).format(*(row.name.replace("*", "") for row in result.rows[1:]))
    once = PAGE.conditions_of(result_of(queries="count:5;histogram:9,4;mean:1,0,9,90"))
    assert once is not None
    assert once.items[0].words == "each person counts once"


def test_a_limit_in_all_of_a_series_lowers_its_cost_and_goes_along_to_its_page():
    def epsilon(flags: str) -> float:
        return result_of(queries=f"each:20,36,12,1{flags}=A", promise="pure").epsilon

    assert epsilon("*cap:4") == pytest.approx(epsilon("") / 3, rel=1e-6)
    assert epsilon("*cap:4,periods:3") == pytest.approx(epsilon(""), rel=1e-6)
    assert epsilon("*cap:12") == pytest.approx(epsilon(""), rel=1e-6)
    for flags, total in (("", "none"), ("*cap:4,periods:3", "12"), ("*cap:0.5", "1")):
        assert f"per_total={total}" in query_link(result_of(queries=f"!each:20,36,12,1{flags}=A"))


@pytest.mark.parametrize("link", SETTINGS)
def test_the_shares_of_the_queries_are_rounded_up_and_add_up_to_the_total(link):
    result = result_of(**link)
    if result.plan is not None:
        for part in result.planned_queries:
            assert part.share in (format_up(part.cost), f"below {format_up(result.epsilon / 1000)}")
        added = sum(float(part.share.removeprefix("below ")) for part in result.planned_queries)
        assert result.epsilon * (1 - 1e-9) <= added <= result.epsilon * (1 + 1e-3 * len(result.planned_queries))


def test_a_query_has_the_same_digits_of_its_epsilon_alone_and_among_others():
    alone, among = (
        result_of(queries="histogram:20,23=Districts"),
        result_of(queries="!count:10;histogram:20,23=Districts"),
    )
    epsilon = format_up(alone.epsilon)
    assert f"requires ε = {epsilon} " in PAGE.section_by_key["queries"].answer_text(alone)[0]
    for result in (alone, among):
        part = result.planned_queries[-1]
        exhibits = exhibits_by_name(result, "plan")
        chart, table = exhibits["plan"], exhibits["plan_table"]
        assert part.share == epsilon
        assert f"adds about ε = {epsilon}." in chart.alternative
        texts = next(trace["text"] for trace in figure_of(chart)["data"] if trace.get("mode") == "text")
        assert epsilon in [text.strip() for text in texts]
        assert [each for trace in figure_of(chart)["data"] if "base" in trace for each in trace["customdata"]][
            -1
        ] == epsilon
        assert f">{epsilon}<" in html_of(table)


def test_unknown_groups_appear_from_a_size_on_and_their_counts_have_a_half_width_of_their_own():
    result = with_delta(queries=GROUPS)
    part = result.planned_queries[2]
    own = format_up(part.noise.half_width(0.05))
    assert float(own) < part.half_width
    html = html_of(exhibits_by_name(result, "plan")["plan_table"])
    assert f"from {format_up(part.half_width)} on; ±{own}" in html
    assert "appears from 60 on" in html
    chart = str(figure_of(exhibits_by_name(result, "plan")["plan"]))
    assert f"from {format_up(part.half_width)} on, 60 wanted" in chart


def test_a_series_takes_the_limits_of_all_years_together_and_the_explanation_says_so():
    queries = "each:20,36,12,4*cap:5,periods:3;table:20,36,12,4*cap:5,periods:3"
    series, table = (part.query for part in with_delta(queries=queries).planned_queries)
    assert series.l2 == pytest.approx(math.sqrt(57))
    assert table.l2 == pytest.approx(math.sqrt(51))
    text = PAGE.explanation_text(with_delta(queries=queries))
    assert r"\sqrt{57}$ instead of $\sqrt{51}$" in text


def test_every_statement_on_a_plan_with_limits_says_that_nothing_beyond_them_is_in_an_error():
    for queries, is_limited in (("groups:60,3,1", True), ("count:5;histogram:9,4", False)):
        said = statements(with_delta(queries=queries))
        assert said is not None
        for text in said.by_length.values():
            assert ("Contributions beyond the limits are not counted." in text) == is_limited
