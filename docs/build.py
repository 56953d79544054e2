"""Make what in docs/ follows from the program: the tables of docs/links.md, and the pictures.

    .venv/bin/python -m docs.build links       write the ranges and defaults of docs/links.md anew
    .venv/bin/python -m docs.build structure   draw the diagrams of the imports, and quote the code of the recipes, anew
    .venv/bin/python -m docs.build pictures    draw every picture of docs/ anew, from its link

The meanings in docs/links.md are written by hand and stay; a new parameter gets a row whose meaning is empty, and
`tests/test_docs.py` fails until somebody has written it.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from docs.structure import structure
from pages.framework.layout.page import load_page
from pages.framework.link import COMMON_PARAMETERS
from pages.framework.parameters.kinds import Choice, Quantity
from pages.framework.parameters.parameter import Parameter
from pages.shared import site_map

DOCS = Path(__file__).resolve().parent
LINKS = DOCS / "links.md"
STRUCTURE = (DOCS / "architecture.md", DOCS / "development.md", DOCS / "recipes.md")
"""The documents with diagrams of the imports, and with quotations."""
EVERY_PAGE = "Every page"
PICTURES = {
    "gaussian_bounds": "/Gaussian_bounds?epsilon=10&delta=1e-5",
    "generalized_gaussian": "/Generalized_Gaussian?section=best",
    "tradeoff_curves": "/Trade-off_curves?view=log",
    "laplace_vs_gaussian": "/Laplace_vs_Gaussian?k=3",
    "clipping": "/Clipping?epsilon=0.1",
    "plan": "/Plan",
    "accuracy": "/Accuracy?epsilon=0.5&pinned=epsilon%3D1",
    "tables": "/Tables?table=size&cells=12&per_person=3",
    "denoising": "/Denoising",
    "composition": "/Composition",
    "report": "/Report?title=A+count+by+region&notes=Which+noise%2C+and+what+it+costs"
    "&items=Gaussian_bounds%2Fratio%3Fepsilon%3D10~Tables%2Fanswer",
}
"""The link of each picture of docs/, by the name of its file."""
_IS_DRAWN = """() => {
  const stage = document.querySelector(".dp-stage:not([aria-busy])");
  const plots = [...document.querySelectorAll(".dp-plot")];
  const isRunning = document.querySelector("[data-stale=true], [data-testid=stSkeleton]") !== null
    || document.querySelector("[data-testid=stApp]")?.dataset.testScriptState !== "notRunning";
  return stage?.querySelector(".st-key-answer p") && !stage.inert && !isRunning && plots.length > 0
    && plots.every((plot) => plot.querySelector(".js-plotly-plot .xtick"));
}"""
_ROW = re.compile(r"^\| `(\w+)` \| (.*?) \| ", re.MULTILINE)


def meanings(text: str) -> dict[tuple[str, str], str]:
    """Return the meanings that a text of docs/links.md gives, by page and key."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    pages = zip(parts[1::2], parts[2::2], strict=True)
    return {(page, key): meaning for page, table in pages for key, meaning in _ROW.findall(table)}


def links(text: str) -> str:
    """Return docs/links.md with the parameters of today: what stands before its tables and its meanings stay."""
    written = meanings(text)
    head = text.split("\n## ")[0].rstrip()
    tables = (
        "\n".join((f"## {page}", "", *_table(page, parameters, written)))
        for page, parameters in pages_with_parameters()
    )
    return "\n\n".join((head, *tables)) + "\n"


def pages_with_parameters() -> Iterator[tuple[str, Sequence[Parameter]]]:
    """Yield the name of each page that has parameters of its own, after those of every page, with its parameters."""
    yield EVERY_PAGE, COMMON_PARAMETERS
    for page in site_map.PAGES:
        if parameters := load_page(page).own_parameters:
            yield page.name, parameters


def _table(page: str, parameters: Sequence[Parameter], written: dict[tuple[str, str], str]) -> Iterator[str]:
    yield "| key | meaning | values | default |"
    yield "|---|---|---|---|"
    for parameter in parameters:
        cells = (f"`{parameter.key}`", written.get((page, parameter.key), ""), _values(parameter), parameter.default)
        yield f"| {' | '.join(cells)} |".replace("|  |", "| |")


def _values(parameter: Parameter) -> str:
    """Return the values that a parameter may have, in Markdown."""
    if isinstance(parameter, Choice):
        return ", ".join(f"`{option}`" for option in parameter.options)
    text = parameter.allowed.removeprefix("from ") if isinstance(parameter, Quantity) else parameter.allowed
    return text.replace("|", r"\|")


def draw_pictures() -> None:
    """Draw the pictures of docs/ with the app of this checkout, in a browser without a window."""
    from playwright.sync_api import sync_playwright

    from pages.export.__main__ import QUIET, find_browser
    from tests.benchmarks.servers import ROOT, running

    with running(ROOT) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(playwright), args=[*QUIET])
        for name, link in PICTURES.items():
            page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
            page.goto(server.address + link)
            page.wait_for_function(_IS_DRAWN, timeout=60_000)
            page.wait_for_timeout(500)  # until the fields beside the stage have their places
            page.screenshot(path=DOCS / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["links"]:
            LINKS.write_text(links(LINKS.read_text(encoding="utf-8")), encoding="utf-8")
        case ["structure"]:
            for document in STRUCTURE:
                document.write_text(structure(document.read_text(encoding="utf-8")), encoding="utf-8")
        case ["pictures"]:
            draw_pictures()
        case _:
            sys.exit(__doc__)
