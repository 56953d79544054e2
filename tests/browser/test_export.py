from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pages.export.__main__ import main
from tests.pages.conftest import title_of

RATIO = title_of("gaussian_bounds", "ratio")


def test_the_pictures_of_a_link_are_written_as_files_for_paper(tmp_path: Path) -> None:
    options = ("--format", "svg", "--width", "85", "--grey", "--no-title")
    with ThreadPoolExecutor(1) as alone:  # a thread has one browser of Playwright at a time
        done = alone.submit(main, ["/Gaussian_bounds?epsilon=10&delta=1e-5", str(tmp_path), *options]).result()
    assert done == 0
    written = {path.stem: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.svg")}
    assert {"sigma_delta", "profile", "ratio"} <= set(written)
    assert all(picture.startswith("<?xml") and 'width="85mm"' in picture for picture in written.values())
    for words in ("δ = 1e-5", "Classical", "ε = 10"):
        assert words in written["ratio"]
    assert RATIO not in written["ratio"].partition("</metadata>")[2]
