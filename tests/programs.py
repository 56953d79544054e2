"""Settings of every page and section whose programs are run, and the output of a program."""

import io
import sys
from contextlib import redirect_stdout
from functools import cache
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from pages.framework import link as links
from pages.framework.layout.page import Page, load_page
from pages.framework.layout.section import Snippet
from pages.shared.site_map import PAGES

NARROW = "epsilon=0.1&delta=1e-9&l2_sensitivity=√3&significance=0.01"
WIDE = "epsilon=3&delta=0.001&l2_sensitivity=7"
POINTS = "points:0.01_0.95~0.05_0.8~0.25_0.45~0.5_0.2@blue="
SETTINGS = (
    "/",
    f"/?{NARROW}",
    "/Gaussian_bounds",
    f"/Gaussian_bounds?{NARROW}",
    f"/Gaussian_bounds?{WIDE}",
    "/Generalized_Gaussian",
    "/Generalized_Gaussian?p=2&epsilon=0.5",
    "/Generalized_Gaussian?p=1&delta=0.1&significance=1/3",
    "/Generalized_Gaussian?section=size&guarantee=exact_pdp&p=1.5",
    "/Generalized_Gaussian?section=best&epsilon=3&delta=0.1",
    "/Generalized_Gaussian?section=bounded&bound_low=-2&p=2.5",
    "/Trade-off_curves",
    f"/Trade-off_curves?{WIDE}&alpha=0.6",
    "/Trade-off_curves?curves=!gdp:1/3*5@blue=&section=quote",
    "/Trade-off_curves?curves=!laplace:0.5*3@blue=",
    "/Trade-off_curves?curves=!geometric:1,2@blue=&alpha=0.3",
    "/Trade-off_curves?curves=!truncated:1,0.01@blue=",
    "/Trade-off_curves?curves=!sgm:1,0.01,500@blue=",
    "/Trade-off_curves?curves=!zcdp:0.05@blue=",
    "/Trade-off_curves?curves=!pure:0.7@blue=",
    f"/Trade-off_curves?curves=!{POINTS}&section=attack",
    "/Trade-off_curves?section=risk",
    "/Trade-off_curves?section=risk&noise=releases&releases=!laplace:0.2*5=Weekly;pure:0.5=Survey",
    "/Trade-off_curves?section=risk&risk=advantage&noise=gaussian",
    "/Trade-off_curves?section=risk&risk=power&noise=releases&delta=1e-3",
    "/Laplace_vs_Gaussian",
    "/Laplace_vs_Gaussian?case=histogram&hold=tail&gaussian=pdp&epsilon=0.5&section=wins",
    "/Laplace_vs_Gaussian?case=own&l1_sensitivity=9&l2_sensitivity=3&hold=variance&section=wins",
    "/Laplace_vs_Gaussian?k=50&epsilon=2&section=density",
    "/What_epsilon_means",
    "/What_epsilon_means?promise=delta&epsilon=0.5&prior=0.3",
    "/A_median",
    "/A_median?n_records=12400&epsilon=0.05&quantile=0.9&neighbours=replace",
    "/A_median?step=none&epsilon=0.1&shape=normal&p90=50",
    "/A_median?contribution=limited&per_total=3&step=none",
    "/A_median?contribution=limited&per_total=3&n_records=2000&neighbours=replace",
    "/A_median?section=several",
    "/A_median?section=several&contribution=limited&per_total=4&n_records=3000",
    "/A_median?section=several&quantiles=0.1,0.9&epsilon=3&n_records=9000",
    "/A_median?section=largest",
    "/A_median?section=largest&chosen=2&epsilon=3&neighbours=replace&chooser=exponential",
    "/Ask_the_class",
    "/Ask_the_class?epsilon=3&ask_options=a,b,c&simulated_students=300&significance=0.2",
    "/Clipping",
    "/Clipping?noise=geometric&median=2&p90=7&high=50&epsilon=0.3",
    "/Clipping?section=contributions&noise=gaussian",
    "/Clipping?section=contributions&people=zipf&spread=one_cell&dropping=weight&limit_error=total_error",
    "/Clipping?query=mean&noise=gaussian&error=mean_absolute&significance=0.1",
    "/Accuracy",
    "/Accuracy?promise=delta&query=own&l1_sensitivity=60&l2_sensitivity=3",
    "/Accuracy?query=sum&low=-3&high=100&neighbours=replace&significance=1e-3",
    "/Accuracy?known=accuracy&query=mean&accuracy=2&epsilon=0.3",
    "/Accuracy?section=records&query=mean&accuracy=0.5",
    "/Plan",
    "/Plan?direction=total&epsilon=2&queries=count:5=a;table:60,36,2,1*all=b;sum:200,0,50@gaussian=c&periods=12",
    "/Plan?promise=delta&queries=quantile:2,0.5,0,600,1,30,84,2000=a;largest:15,23,1=b;groups:60,3,1=c;running:60,24,4,1*times:2=d",
    "/Plan?promise=pure&queries=largest:15,23,1=a",
    "/Plan?promise=pure&queries=mean:1,0,100,500*hidden=a;own:5,3,2=b;proportion:0.02,1000*A=c;histogram:9,4*A=d",
    "/A_series",
    "/A_series?totals=window&window=6&length=24&in_periods=3&per_cell=2&significance=0.1",
    "/A_series?strategy=tree&publication=once&neighbours=replace&epsilon=0.3&per_total=2&in_periods=4",
    "/A_series?known=accuracy&accuracy=30&in_periods=2&error=all",
    "/A_series?strategy=square_root&length=60&in_periods=7&per_cell=3&contribution=limited",
    "/A_series?strategy=banded&length=24&in_periods=4",
    "/A_series?strategy=per_period&length=12&in_periods=12",
    "/A_series?strategy=square_root&length=7&in_periods=7&per_total=5",
    "/A_series?series_noise=geometric&length=9",
    "/A_series?section=ranges",
    "/A_series?section=ranges&known=accuracy&accuracy=50&n_cells=16&error=all",
    "/A_series?section=ranges&n_cells=20&in_periods=4&per_cell=2&per_total=6&neighbours=replace&epsilon=0.4",
    "/A_survey",
    "/A_survey?method=optimized_unary&epsilon=0.5&n_people=800&significance=0.1",
    "/A_survey?method=hadamard&n_options=1000&epsilon=1&option_share=0.001",
    "/A_survey?method=randomized_response&n_options=2&epsilon=0.1&n_people=100&mechanisms=all",
    "/A_survey?method=symmetric_unary&epsilon=3&n_options=6",
    "/A_survey?known=accuracy&wanted_points=2&n_people=20000",
    "/A_survey?curator=office&epsilon=0.5",
    "/A_survey?curator=office&known=accuracy&wanted_points=0.5&n_options=2",
    "/Tables",
    "/Tables?per_person=12&per_cell=2&promise=delta&error=each&epsilon=0.4",
    "/Tables?table=size&cells=1000&neighbours=replace&margins=1",
    "/Tables?section=table&mechanism=laplace",
    "/Tables?section=release&mechanism=analytic",
    "/Tables?section=appear",
    "/Tables?section=appear&threshold_noise=gaussian&per_person=3&table=size&cells=900",
    "/Tables?section=appear&threshold_noise=laplace&per_person=5&per_cell=2&epsilon=0.5",
    "/Denoising",
    "/Denoising?table=czech&order=series&epsilon=0.3&total=public&neighbours=replace&seed=4",
    "/Denoising?table=own&contribution=once&fixed=yes&own=a=12;b=3;c=800",
    "/Denoising?signal=bumps",
    "/Denoising?section=where&dimension=200&norm=2",
    "/Denoising?section=map&epsilon=3",
    "/Composition",
    "/Composition?releases=!gaussian:6*10=;sampled:1.2,0.01*200=&runs=2",
    "/Composition?releases=!pure:0.1*12=&section=accountants",
    "/Composition?releases=!gaussian:5*20=;laplace:0.05*10=&accountant=rdp",
    "/Composition?releases=!gaussian:5*20=;laplace:0.05*10=&accountant=zcdp",
    "/Composition?releases=!pure:0.1*12=;laplace:0.3=&accountant=basic",
    "/Composition?releases=!zcdp:0.02*3=;exponential:0.2*2=",
    "/Composition?releases=!discrete:4,2*3=;geometric:0.5,3*2=",
    "/Composition?section=profile",
    "/Composition?section=published",
    "/Composition?section=published&at_delta=page&delta=1e-7",
    "/Composition?section=training",
    "/Composition?section=training&solve=noise&epsilon=2&epochs=5&batch=600",
    "/Composition?section=training&solve=steps&epsilon=2&noise_multiplier=1.5",
    "/Composition?section=training&solve=rate&epsilon=2&epochs=5",
    "/Composition?section=groups",
    "/Composition?section=groups&group=8&epsilon=0.2&delta=1e-5&local_epsilon=2&reports=50000",
    "/Composition?section=batching",
    "/Composition?section=batching&loader=poisson&noise_multiplier=2&epochs=3.5",
    "/Composition?section=batching&loader=fixed&delta=1e-5",
    "/Papers_reproduced?section=variance&epsilon=0.3",
    "/Papers_reproduced?section=variance&epsilon=20",
    "/Papers_reproduced?section=means",
    "/Papers_reproduced?section=means&means_grid=own&mean_dimension=2&mean_records=50&mean_repeats=20&epsilon=3&seed=7",
    "/Papers_reproduced?section=pdp&delta=1e-5",
    "/Papers_reproduced?section=tails",
    "/Papers_reproduced?section=tails&gaussian=pdp&epsilon=0.5&k=9&t=12",
    "/Papers_reproduced?section=tables",
    "/Papers_reproduced?section=tables&table=mildew&grid=own&post=rounded&paper_epsilons=0.3&repeats=20&seed=5",
    "/Papers_reproduced?section=tables&table=own&own=a=12;b=3;c=8&grid=own&post=none",
    "/Papers_reproduced?section=exponential&p=4",
    "/Papers_reproduced?section=exponential&p=2.5",
)


@cache
def at(setting: str) -> tuple[Page[Any], Any]:
    """Return a page and its result at the setting of a link."""
    parts = urlsplit(setting)
    topic = load_page(next(page for page in PAGES if page.path == parts.path.strip("/")))
    result, problems = found_by(topic, parse_qs(parts.query, keep_blank_values=True))
    assert problems == []
    return topic, result


def found_by(topic: Page[Any], link: dict[str, list[str]]) -> tuple[Any, list[str]]:
    """Return the result of a page for a link, and the sentences on unusable values."""
    entered, problems = links.parse_link(link, topic.all_parameters)
    read = topic.readings(entered)
    problems += [entry.problem for entry in read.values() if entry.problem]
    return topic.compute(links.values(read)), problems


def snippets(setting: str) -> tuple[Snippet, ...]:
    """Return the programs of a setting."""
    topic, result = at(setting)
    return topic.snippets_of(result)


def downloaded(setting: str, name: str = "release.py") -> str:
    """Return a file that a section offers at a setting, as text."""
    topic, result = at(setting)
    files = topic.open_section(result).downloads(result)
    assert files is not None, setting
    return next(file.content(f"https://example.org{setting}") for file in files.files if file.name == name).decode()


def namespace_of(code: str) -> dict[str, Any]:
    """Return the names that the program of a release defines, without running it."""
    names: dict[str, Any] = {"__name__": "release"}
    module = ModuleType("release")
    module.__dict__.update(names)
    sys.modules["release"] = module
    exec(compile(code, "release.py", "exec"), module.__dict__)
    return module.__dict__


def printed(snippet: Snippet) -> list[float]:
    """Run a program and return the numbers that it prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(snippet.code, f"<{snippet.library}>", "exec"), {})
    return [float(word) for word in out.getvalue().split()]
