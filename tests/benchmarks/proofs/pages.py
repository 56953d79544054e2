"""Prove the guarantees on the pages at many settings; report those without a proof and the time of the proofs.

    python -m tests.benchmarks.proofs.pages [n] [seed] [page ...] [--extreme] [--hard]

The pages are the folders of `pages/`; all of them if none is named. Of each n random settings are tried, those of
`tests.pages.settings`; with `--extreme` the links of `tests.hostile`, with `--hard` those of `hard_links`. A line per
page counts the guarantees that are proved, that are refuted as the page says, and that have no proof, and gives the
longest processor time of a page's proofs; a line per guarantee that is not proved has its sentence and the link.
Exits with 1 if a guarantee is refuted that the page does not call broken.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping

import hypothesis
import numpy as np

from dpcore import verify
from pages.framework import link
from pages.framework.layout import panels
from pages.framework.layout.page import load_page
from pages.shared import site_map
from tests.benchmarks.hard_links import hard_links
from tests.hostile.links import Link, links
from tests.pages.conftest import read_link
from tests.pages.settings import setting

TOPICS = {page.topic or "start": page for page in site_map.PAGES}


def settings(topic: str, n: int, seed: int, which: str) -> Iterator[Mapping[str, str | list[str]]]:
    """Yield the links of a page that are tried."""
    if which == "hard":
        yield from (link_of_list for _, link_of_list in hard_links() if topic == "composition")
        return
    if which == "extreme":
        yield from hostile(topic, n, seed)
        return
    for place in range(n):
        yield setting(topic, np.random.default_rng([seed, place, [*TOPICS].index(topic)]))


def hostile(topic: str, n: int, seed: int) -> list[Link]:
    """Yield hostile links of a page."""
    hostile_links: list[Link] = []

    @hypothesis.settings(max_examples=n, database=None, phases=[hypothesis.Phase.generate], deadline=None)
    @hypothesis.seed(seed)
    @hypothesis.given(links(TOPICS[topic]))
    def draw(hostile_link: Link) -> None:
        hostile_links.append(hostile_link)

    draw()
    return hostile_links


def tried(topic: str, n: int, seed: int, which: str) -> bool:
    """Try a page; return whether it states no guarantee that is refuted."""
    page, counts, slowest, unsafe = load_page(TOPICS[topic]), Counter[str](), 0.0, 0
    for setting_link in settings(topic, n, seed, which):
        result = page.compute(link.values(read_link(topic, **setting_link)[0]))
        page.answer_text(result)
        start = time.process_time()
        claims = list(page.claims_of(result))
        lines = list(panels.proof_lines(claims, verify))
        slowest = max(slowest, time.process_time() - start)
        for claim, line in zip(claims, lines, strict=True):
            known = claim.reason or claim.is_violated
            unsafe += line[0] == "✗" and not known
            counts[line[0] + (" known" if known else "")] += 1
            if line[0] != "✓" and not known:
                print(f"{topic}: {line} {setting_link}")
    print(f"{topic}: {dict(counts)}, {slowest:.2f} s at most", flush=True)
    return not unsafe


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", nargs="?", type=int, default=1000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("page", nargs="*", default=[*TOPICS])
    parser.add_argument("--extreme", action="store_const", dest="which", const="extreme", default="random")
    parser.add_argument("--hard", action="store_const", dest="which", const="hard")
    options = parser.parse_args()
    unsafe = [topic for topic in options.page if not tried(topic, options.n, options.seed, options.which)]
    sys.exit(bool(unsafe))
