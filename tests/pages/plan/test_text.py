"""The sentences, tables, links, programs and claims of the page Plan, through their numbers."""

import re
from functools import cache
from urllib.parse import parse_qsl, urlsplit

import pytest

from dpcore import accuracy, plan
from pages.composition.results import cost_at
from pages.export import page_of
from pages.framework import link as page_links
from pages.framework.layout.page import load_page
from pages.framework.layout.panels import proofs_html
from pages.framework.parameters.number_format import format_up
from pages.plan import proposals
from pages.plan.code import explanation_text
from pages.plan.figures import scale_text
from pages.plan.links import PRESETS, composition_link, query_link
from pages.plan.page import PAGE
from pages.plan.quantities import NOISE_NAMES
from pages.plan.queries import QUERIES
from pages.plan.results import PlanResult
from pages.plan.text import links_text, rounding_text
from tests.hostile.texts import MARKUP
from tests.pages.conftest import exhibits_by_name, expect_complete, figure_of, found_by, html_of, read_link, words_of

MIXED = (
    "!count:8=A;table:30,36,2,1*all=B;mean:1,0,100,800*hidden=C;sum:400,-3,50@gaussian_scale,150=D;own:9,2,1*size:90=E"
)
SETTINGS = (
    {},
    {"queries": MIXED},
    {"queries": MIXED, "direction": "total", "epsilon": "2"},
    {"queries": "count:5", "direction": "total"},
    {"queries": "count:5@epsilon,0.5", "direction": "total"},
    {"queries": MIXED, "promise": "pure", "neighbours": "replace"},
    {"direction": "total", "epsilon": "0"},
    *PRESETS.values(),
)


ONCE_KINDS = "count", "histogram", "mean", "sum", "proportion", "quantile", "own"


@cache
def result_of(**link: str) -> PlanResult:
    return found_by("plan", **link)


def with_delta(**link: str) -> PlanResult:
    return found_by("plan", **{"promise": "delta"} | link)


@pytest.mark.parametrize("link", SETTINGS)
@pytest.mark.parametrize("section", ["queries", "factor"])
def test_an_answer_has_a_short_sentence_with_its_number_and_a_short_one_on_what_follows(link, section):
    result = result_of(**(dict(link) | {"section": section}))
    first, second, *notes = PAGE.answer_text(result)
    has_groups = any(part.threshold is not None for part in result.planned_queries)
    has_numbers = any(row.item.kind in ("mean", "proportion") and not row.item.is_hidden for row in result.planned_rows)
    ranges = "ranges, cells and record numbers" if has_numbers else "ranges and cells"
    fixed = "all but the groups of “Diagnosis codes” was" if has_groups else f"{ranges} were"
    assert (result.plan is None) != first.endswith(f" and {fixed} fixed in advance.")
    has_limits = any(item.kind not in ONCE_KINDS and item.numbers[1:] != ("1", "1") for item in result.setting.queries)
    assert (result.plan is None) != (
        ("the limits per person hold" if has_limits else "each person counts once") in first
    )
    assert notes == []
    assert len(words_of(first.partition(", if ")[0])) <= 20, first
    assert len(words_of(second)) <= 30, second
    assert "nan" not in first + second


@pytest.mark.parametrize(
    "link",
    [
        {"queries": "table:5,1,1,1@epsilon,803=A", "promise": "pure"},  # geometric noise that is 0
        {"queries": "proportion:1,100*hidden@gaussian_scale,568=A;count:5=B"},  # a count that may be 0
        {"queries": "table:5,1000,1,1=A", "significance": "1e-300"},
    ],
)
def test_errors_of_0_or_without_a_limit_or_at_the_least_significance_are_drawn(link):
    exhibits = exhibits_by_name(result_of(**link), "plan")
    expect_complete(exhibits["plan"])
    assert "<table>" in html_of(exhibits["plan_table"])


def test_the_answer_has_the_total_of_dpcore_rounded_up_or_the_factor():
    queries = [plan.query(20), plan.query(300, plan.Sum(high=50))]
    link = {"queries": "!count:20=A;sum:300,0,50=B"}
    total = float(plan.choose(queries, 1e-6).total.value)
    assert f"ε = {format_up(total)} at δ = 1e-6" in PAGE.answer_text(with_delta(**link))[0]
    scaled = plan.scaled_to(queries, 0.5, 1e-6)
    link |= {"direction": "total", "epsilon": "0.5"}
    assert f"{format_up(scaled.factor)} times each wanted ±" in PAGE.answer_text(with_delta(**link))[0]
    doubled = PAGE.answer_text(with_delta(**link | {"section": "factor", "direction": "errors"}))[0]
    at_twice = plan.choose([plan.query(40), plan.query(600, plan.Sum(high=50))], 1e-6)
    assert f"twice as large require ε = {format_up(float(at_twice.total.value))}, and" in doubled


def test_the_guarantee_is_pure_unless_a_link_says_otherwise_and_what_delta_would_save_is_said():
    link = {"queries": "!count:20=A;sum:300,0,50=B", "periods": "12"}
    queries = [plan.query(20, n_releases=12), plan.query(300, plan.Sum(high=50), n_releases=12)]
    pure, approximate = (float(plan.choose(queries, delta).total.value) for delta in (0, 1e-6))
    first, second = PAGE.answer_text(result_of(**link))
    assert f"require ε = {format_up(pure)} without δ" in first
    assert second.endswith(f"; δ = 1e-6 gives ε = {format_up(approximate)}.")
    budget = {**link, "direction": "total", "epsilon": "0.5"}
    factor = plan.scaled_to(queries, 0.5, 1e-6).factor
    assert result_of(**budget).factor > factor
    assert f"; δ = 1e-6 gives {format_up(factor)} times the wanted ±." in PAGE.answer_text(result_of(**budget))[1]
    for others in ({"promise": "delta"}, {"queries": "count:20", "periods": "1"}, {"queries": MIXED}):
        assert "gives ε" not in PAGE.answer_text(result_of(**link | others))[1]


def test_a_citation_that_leaves_the_guarantee_out_has_the_one_of_its_time():
    parameters = PAGE.all_parameters
    for version, guarantee in (({"version": ["0.1.0"]}, "delta"), ({}, None)):
        link = page_links.with_demo_defaults({"queries": ["count:5"]} | version, PAGE.entry.path, parameters)
        assert page_links.parse_link(link, parameters)[0].get("promise") == guarantee


def test_a_pinned_plan_is_compared_by_its_total():
    sentences = PAGE.answer_text(with_delta(queries="count:20", pinned="queries=count%3A5"))
    totals = [format_up(float(plan.choose([plan.query(a)], 1e-6).total.value)) for a in (5, 20)]
    assert sentences[2] == f"Compared with the pin: ε = {totals[0]} → ε = {totals[1]}."
    to_total = PAGE.answer_text(with_delta(direction="total", pinned="queries=count%3A5&direction=errors"))[2]
    assert "times the errors at ε = 1." in to_total


def test_the_table_has_the_errors_of_the_noise_for_a_cell_and_for_all_cells():
    result = with_delta(queries=MIXED)
    html = html_of(exhibits_by_name(result, "plan")["plan_table"])
    for part in result.planned_queries:
        row = re.search(rf"<tr><th scope='row'>{part.row.name}</th>(.*?)</tr>", html)
        assert row is not None
        cells = re.findall(r"<td[^>]*>(.*?)</td>", row[1])
        assert cells[0] == format_up(part.half_width)
        assert cells[4] == scale_text(part)
        assert f"= {format_up(part.noise.scale)}" in cells[4]
        if part.row.name == "B":
            assert cells[5] == format_up(part.noise.half_width(0.05))
            assert cells[6] == format_up(part.noise.half_width(float(accuracy.each_significance(0.05, 36))))
        assert (cells[1] == "fixed noise") == (part.row.name == "D")
        assert (cells[7] == "–") == (part.row.name != "E")


def test_the_costs_of_the_queries_are_consecutive_steps_that_end_at_the_total():
    result = with_delta(queries=MIXED)
    chart = figure_of(exhibits_by_name(result, "plan")["plan"])
    bars = [trace for trace in chart["data"] if "base" in trace]
    steps = sorted(
        (row, low, low + share) for bar in bars for row, low, share in zip(bar["y"], bar["base"], bar["x"], strict=True)
    )
    ends = [high for _, _, high in steps]
    assert [low for _, low, _ in steps] == pytest.approx([0, *ends[:-1]], abs=1e-6)
    assert ends[-1] == pytest.approx(result.epsilon, rel=1e-6)


def test_the_cost_of_a_bar_that_ends_far_to_the_right_stands_above_it_where_a_phone_has_room():
    figure = figure_of(exhibits_by_name(result_of(), "plan")["plan"])
    end = figure["layout"]["xaxis2"]["range"][1]
    (costs,) = (trace for trace in figure["data"] if trace.get("mode") == "text")
    assert len(costs["text"]) == len(costs["x"]) == 6
    assert set(costs["textposition"]) == {"middle right", "top left"}
    for x, place, words in zip(costs["x"], costs["textposition"], costs["text"], strict=True):
        assert x / end <= 0.66 or place == "top left", words


def test_no_number_of_the_costs_lies_on_the_line_of_the_total():
    result = with_delta(direction="total", epsilon="0.5")
    figure = figure_of(exhibits_by_name(result, "plan")["plan"])
    (costs,) = (trace for trace in figure["data"] if trace.get("mode") == "text")
    ends = [x for x, place in zip(costs["x"], costs["textposition"], strict=True) if place == "top left"]
    assert len(ends) > 2
    assert max(ends) <= 0.5 * (1 + 1e-9)  # they stand to the left of the ends of their bars
    letter = 0.06 * figure["layout"]["xaxis2"]["range"][1]
    for x, place, words in zip(costs["x"], costs["textposition"], costs["text"], strict=True):
        assert place == "top left" or x + letter * len(words) < 0.5, words


@pytest.mark.parametrize("link", SETTINGS)
def test_every_exhibit_is_complete_and_every_link_opens_what_it_says(link):
    result = result_of(**(dict(link) | {"section": "queries"}))
    for exhibit in exhibits_by_name(result, "plan", "dark").values():
        expect_complete(exhibit)
    parts = PAGE.section_by_key["queries"].parts(result, dict.fromkeys(_SHADES, "#000"))
    text = "\n".join(part for part in parts if isinstance(part, str))
    for address in re.findall(r"\]\((\./[^)]+)\)", text):
        entry = page_of(address[1:])
        _, problems = read_link(entry.topic, **dict(parse_qsl(urlsplit(address).query, keep_blank_values=True)))
        assert problems == [], address


_SHADES = (
    *("text", "quiet", "ghost", "floor", "paper", "analytic", "laplace", "geometric", "discrete_gaussian"),
    *("orange", "green"),
)


PURE_AND_DISCRETE = ("laplace", "geometric", "discrete_gaussian") * 2


@pytest.mark.parametrize(
    "link",
    [
        {"queries": "!mean:1,0,10,300*hidden=A;sum:300,0,50=B;own:9,2,1@gaussian=C", "periods": "3"},
        {},
        {"queries": "!count:8@discrete_gaussian=A;table:90,36,2,3@geometric=B;histogram:15,9*all=C"},
        {"queries": "!table:60,5,2,2@discrete_gaussian=A;sum:500,0,50@gaussian=B", "direction": "total"},
        {"queries": "!count:8=A;table:90,36,2,3=B;sum:300,0,50=C", "promise": "pure"},
        {"queries": "!table:9000,36,2,730@geometric=A;table:9000,36,1,365@discrete_gaussian=B"},
        {"queries": ";".join(f"{'!' * (not i)}count:{8 + i}@{noise}={i}" for i, noise in enumerate(PURE_AND_DISCRETE))},
        {"queries": "!own:9,2,1@laplace=A;count:8@geometric_scale,7=B", "neighbours": "replace"},
    ],
)
def test_the_list_in_composition_costs_exactly_what_the_plan_does(link):
    result = with_delta(**link)
    address = re.search(r"\]\((\./Composition[^)]+)\)(.*)", composition_link(result))
    assert address is not None
    assert address[2] == ""
    entries = dict(parse_qsl(urlsplit(address[1]).query))
    readings, problems = read_link("composition", **entries)
    assert problems == []
    listed = load_page(page_of(address[1][1:]))
    assert cost_at(found_by("composition", **entries)).together == pytest.approx(result.epsilon, rel=1e-12)
    assert listed.answer_text(found_by("composition", **entries))
    assert len(readings["releases"].value) == len(result.planned_queries)


def test_the_list_in_composition_says_that_groups_are_added_there():
    assert "every query of a group" in composition_link(with_delta(queries="!count:8*A=A;count:9*A=B"))


@pytest.mark.parametrize(
    ("queries", "reason"),
    [
        ("!table:9e4,36,1,2000@geometric=Visits", "one person may move a number of Visits by more than 1000."),
        ("!count:0.5@discrete_gaussian_scale,0.05=*Count*", r"the noise of \*Count\* is outside its limits"),
    ],
)
def test_a_plan_that_composition_cannot_list_says_why(queries, reason):
    assert reason in links_text(with_delta(queries=queries))


def test_the_total_of_gaussians_and_of_pure_noise_is_proved_and_so_is_each_error():
    for link in (
        {"queries": "sum:300,0,50@gaussian;own:9,2,1@gaussian"},
        {"queries": "count:5;sum:300,0,50@gaussian"},
        {"queries": MIXED, "promise": "pure"},
    ):
        result = with_delta(**link)
        html = proofs_html(PAGE.claims_of(result))
        assert "proved" in html
        assert "refuted" not in html
        assert html.count("cannot be verified") == link["queries"].count("*hidden")
    mixed = [claim.reason for claim in PAGE.claims_of(with_delta(queries="own:9,2,2@laplace;own:9,2,1@gaussian"))]
    assert "no closed formula" in mixed[0]
    grouped = [claim.reason for claim in PAGE.claims_of(with_delta(queries="count:5*A;count:6*A", promise="pure"))]
    assert "one group" in grouped[0]


YEARLY = "table:20,36,36,4*cap:4,periods:3=Visits"


def test_visits_limited_for_each_year_cost_what_their_own_sensitivities_cost():
    yearly, own, anywhere = (
        result_of(queries=queries, promise="pure")
        for queries in (YEARLY, "own:20,12,6.9282032302755132=Visits", "histogram:20,36*cap:4,periods:3")
    )
    query = yearly.planned_rows[0].query
    assert query is not None
    assert (query.l1, query.l2) == (12, pytest.approx(48**0.5))
    assert yearly.epsilon == anywhere.epsilon
    for mechanism in ("laplace", "gaussian"):
        limited, by_hand = (
            result_of(queries=f"{queries.partition('=')[0]}@{mechanism}").epsilon
            for queries in (YEARLY, "own:20,12,6.9282032302755132")
        )
        assert limited == pytest.approx(by_hand, rel=1e-9)
    every_month, too_few = (result_of(queries=queries).epsilon for queries in ("table:20,36,36,4", "table:20,36,3,4"))
    assert too_few == pytest.approx(result_of(queries=YEARLY).epsilon, rel=0.05)
    assert every_month > 5 * too_few
    assert yearly.epsilon < own.epsilon  # of which whole numbers are not known
    summary = yearly.setting.queries[0].summary
    assert "4 per person in each of 3 years" in summary
    html = proofs_html(PAGE.claims_of(yearly))
    assert "proved" in html
    assert "refuted" not in html


@pytest.mark.parametrize(
    "queries",
    [
        YEARLY,
        "table:20,36,2,4=A",
        "table:20,36,5,2*cap:7=A",
        "histogram:20,36*cap:4,periods:3=A",
        "histogram:20,36*cap:2=A",
        "histogram:20,36=A",
    ],
)
@pytest.mark.parametrize("contribution", ["unknown", "once", "limited"])
def test_a_table_with_limits_opens_in_tables_with_the_same_limits(queries: str, contribution: str):
    result = result_of(queries=queries, contribution=contribution)
    (address,) = re.findall(r"\(\./Tables\?([^)]*)\)", query_link(result))
    entries = dict(parse_qsl(address))
    alone, query = found_by("tables", **entries), result.planned_rows[0].query
    assert query is not None
    assert (alone.sensitivity.l1, alone.sensitivity.l2) == (query.l1, query.l2)
    travelling = {"per_person", "per_cell", "per_total", "n_periods", "contribution"}
    assert travelling <= entries.keys()  # else those of the last page that had them would stay


def test_the_limit_in_all_is_left_behind_where_accuracy_opens_a_query_of_a_plan():
    address = query_link(result_of(queries="count:5=A"))
    assert dict(parse_qsl(address.partition("?")[2].rstrip(")")))["per_total"] == "none"


def test_pasted_rows_are_read_with_any_separator_or_refused_by_their_number():
    rows = 'Age,mean,1,0,100,2000\n\n"Trips";sum;300;0;50;laplace\nCells\ttable\t20\t36\t2\t1\tall cells'
    items, sentences = proposals.read_rows(rows)
    assert [item.link_text() for item in items] == [
        "mean:1,0,100,2000=Age",
        "sum:300,0,50@laplace=Trips",
        "table:20,36,2,1*all=Cells",
    ]
    assert sentences == []
    assert len(proposals.read_rows("a,count,5\n" * 40)[0]) == 30
    assert "only the first 30 are taken" in proposals.read_rows("a,count,5\n" * 40)[1][-1]
    bad = ["a", "a,count,-1", "a,count,1,2", "a,count,5,maybe", "a,sum,5,9,1", "=1+1,mean,x", *MARKUP]
    for text in bad:
        items, sentences = proposals.read_rows(text)
        assert items == []
        assert sentences[0].startswith("Row 1: ")
    assert proposals.read_rows("Trips,own,5,1,2,3")[1] == [
        "Row 1: “Trips” is own (±, Δ₁, Δ₂); 4 numbers were given. It is left out."
    ]
    assert proposals.read_rows(",count,1,2")[1] == ["Row 1: it is count (±); 2 numbers were given. It is left out."]


def test_continuous_noise_chosen_for_integer_answers_is_explained_by_the_query():
    chosen = found_by(
        "plan", queries="count:30=A;table:40,60,6,1=Visits;sum:300,0,50=B", direction="total", epsilon="1"
    )
    names = [part.row.name for part in chosen.planned_queries if part.query.whole and not part.noise.whole]
    assert names
    assert rounding_text(chosen).startswith(f"**Continuous noise for whole numbers:** {', '.join(names)}.")
    assert rounding_text(with_delta(queries="count:30@gaussian=A;sum:300,0,50=B")) == ""


def test_a_report_names_the_queries_in_words():
    text = "!count:20=A;table:40,60,6,1*all,size:300@gaussian=Visits%20by%20age;count:5@geometric_scale,7"
    assert QUERIES.in_words(text) == (
        "A: Count, ± 20; Visits by age: Table · 60 cells, 6 per person, 1 in each · ± of all cells · "
        "answer about 300 · Gaussian, ± 40; Count: Count · Geometric, its scale s is fixed at 7"
    )


def test_the_explanation_has_what_an_even_split_requires_where_there_is_one():
    link = {"queries": "!count:20=A;sum:300,0,50=B"}
    for promise, parts in (("pure", "the same part of ε,"), ("delta", "the same part of ε and of δ,")):
        result = result_of(**link, promise=promise)
        even = result.plan and result.plan.even_split
        assert even is not None
        text = explanation_text(result)
        assert f"Where each of the 2 queries gets {parts}" in text
        assert f"require ε = {format_up(even)}. The plan requires ε = {format_up(result.epsilon)}." in text
    for queries in ("count:20", "count:20*A;count:30*A", "count:20@epsilon,0.5;count:30", "sum:1e-9,0,1e6"):
        assert "even split" not in explanation_text(result_of(queries=queries))


def test_the_answer_at_a_total_names_the_query_that_is_farthest_off_with_its_error():
    link = {"queries": "count:5=A;sum:300,0,50=B;count:7@epsilon,0.01=Fixed", "direction": "total", "epsilon": "2"}
    result = result_of(**link)
    ratios = {part.row.name: part.half_width / part.row.item.target for part in result.planned_queries[:2]}
    worst = max(result.planned_queries[:2], key=lambda part: ratios[part.row.name])
    assert f"times each wanted ±: {worst.row.name} {worst.error_words}, if" in PAGE.answer_text(result)[0]
    alone = result_of(**link | {"queries": "table:40,23,4,4*cap:4=Visits"})
    first = PAGE.answer_text(alone)[0]
    assert first.startswith(f"With ε = 2 without δ, Visits has {alone.planned_queries[0].error_words}, ")


def test_the_statements_have_the_total_that_was_typed_the_noise_and_what_they_count():
    result, once = (result_of(direction="total", epsilon="2", periods=n, others="some") for n in ("3", "1"))
    assert format_up(once.epsilon) != "2"
    assert "differential privacy with ε = 2, without" in str(PAGE.statements_of(once))
    assert "for these 3 releases alone" in PAGE.answer_text(result)[0]
    statements = PAGE.statements_of(result)
    assert statements is not None
    assert "can tell more than these 3 releases alone" in statements.public
    assert "The guarantee is of these 3 releases alone" in statements.paper
    for part in result.planned_queries:
        words = NOISE_NAMES[part.noise.family]
        assert f"{part.error_words} ({words}, {scale_text(part)})" in statements.paper
        assert not re.search(words, statements.public, re.IGNORECASE)
    assert "this release alone" not in statements.public + statements.paper + statements.experts
