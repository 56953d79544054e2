"""Settings of every page and section whose programs are run, and the output of a program."""

import io
from contextlib import redirect_stdout
from functools import cache
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
    "/Plan?promise=pure&queries=mean:1,0,100,500*hidden=a;own:5,3,2=b;proportion:0.02,1000*A=c;histogram:9,4*A=d",
    "/Tables",
    "/Tables?per_person=12&per_cell=2&promise=delta&error=each&epsilon=0.4",
    "/Tables?table=size&cells=1000&neighbours=replace&margins=1",
    "/Tables?section=table&mechanism=laplace",
    "/Tables?section=release&mechanism=analytic",
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
    every = (*links.COMMON_PARAMETERS, *topic.own_parameters)
    entered, problems = links.parse_link(link, every)
    read = links.read_parameters(every, entered, {}, topic.correct)
    problems += [entry.problem for entry in read.values() if entry.problem]
    return topic.compute(links.values(read)), problems


def snippets(setting: str) -> tuple[Snippet, ...]:
    """Return the programs of a setting."""
    topic, result = at(setting)
    return topic.snippets_of(result)


def printed(snippet: Snippet) -> list[float]:
    """Run a program and return the numbers that it prints."""
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(snippet.code, f"<{snippet.library}>", "exec"), {})
    return [float(word) for word in out.getvalue().split()]
