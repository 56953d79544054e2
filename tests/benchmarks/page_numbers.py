"""Write the sentences, numbers, tables, programs and link of every section at random settings, or compare two trees.

    python -m tests.benchmarks.page_numbers FILE [--n 50] [--page FOLDER ...]
    python -m tests.benchmarks.page_numbers FILE --against OLDER

The first, run in two checkouts, writes what every section shows at n random settings of `tests.pages.settings`. The
second compares two such files: words must be equal, and numbers up to a relative 1e-12; it lists what differs, and
exits with 1 if anything does.
"""

import argparse
import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pages.framework.export.exhibit_files import csv_text
from pages.shared import site_map
from pages.shared.looks import COLOURS
from tests.pages.conftest import found_by, topic_named
from tests.pages.settings import setting

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
_TOLERANCE = 1e-12


def shown(topic: str, link: dict[str, str]) -> dict[str, str]:
    """Return the texts of a page at a setting, by what they are."""
    page, result = topic_named(topic), found_by(topic, **link)
    section = page.open_section(result)
    texts = {"answer": "\n".join(page.answer_text(result)), "explanation": page.explanation_text(result)}
    for make in section.exhibits:
        exhibit = make(result, COLOURS["light"])
        if exhibit is not None:
            texts[f"{exhibit.name}: numbers"] = csv_text(exhibit, day="-")
            texts[f"{exhibit.name}: words"] = exhibit.alternative
            texts[f"{exhibit.name}: picture"] = _plain(exhibit.picture)
    texts["parts"] = "\n".join(part for part in section.parts(result, COLOURS["light"]) if isinstance(part, str))
    texts["code"] = "\n".join(snippet.code for snippet in page.snippets_of(result))
    texts["claims"] = "\n".join(map(str, page.claims_of(result)))
    return texts


def _plain(picture: Any) -> str:
    return (
        picture if isinstance(picture, str) else json.dumps(picture, default=lambda array: np.asarray(array).tolist())
    )


def settings(topic: str, n: int) -> Iterator[dict[str, str]]:
    """Yield the default of each section of a page, and random settings of it."""
    page = topic_named(topic)
    for number, section in enumerate(page.keys_of_links):
        yield {"section": section}
        for place in range(n):
            yield setting(topic, np.random.default_rng([7, place, number])) | {"section": section}


def differences(new: str, old: str) -> bool:
    """Return whether two texts differ in words, or in a number by more than the tolerance."""
    if new == old:
        return False
    if _NUMBER.sub("#", new) != _NUMBER.sub("#", old):
        return True
    pairs = zip(_NUMBER.findall(new), _NUMBER.findall(old), strict=True)
    return not all(math.isclose(float(a), float(b), rel_tol=_TOLERANCE) for a, b in pairs)


def main() -> int:
    """Return 1 if two files differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--n", type=int, default=50)
    parser.add_argument("--page", nargs="*", help="folders of pages/; all by default")
    parser.add_argument("--against", type=Path)
    options = parser.parse_args()
    if options.against:
        new, old = (json.loads(path.read_text()) for path in (options.file, options.against))
        found = [
            f"{key} {part}"
            for key in sorted(new.keys() | old.keys())
            for part in sorted(new.get(key, {}).keys() | old.get(key, {}).keys())
            if differences(new.get(key, {}).get(part, ""), old.get(key, {}).get(part, ""))
        ]
        print("\n".join(found) or f"{len(new)} settings are equal")
        return int(bool(found))
    topics = options.page or [page.topic or "start" for page in site_map.PAGES]
    found = {
        f"{topic}?{json.dumps(link)}": shown(topic, link) for topic in topics for link in settings(topic, options.n)
    }
    options.file.write_text(json.dumps(found))
    print(f"{len(found)} settings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
