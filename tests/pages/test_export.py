from datetime import date

import pytest
from plotly.offline import get_plotlyjs

import dpcore
from pages.export import __main__ as export
from pages.export import exhibits_of, page_of
from pages.export.__main__ import main
from pages.shared import site_map

PAGES = [page for page in site_map.PAGES if page.topic and page != site_map.REPORT]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.topic)
def test_every_page_is_exported_from_its_link_alone(page, tmp_path, capsys, monkeypatch):
    folder, address = tmp_path / "made" / "here", f"http://127.0.0.1:8501/{page.path}?significance=0.1"
    exhibits, link, problems = exhibits_of(address)
    assert problems == []
    assert link.startswith(f"/{page.path}?epsilon=1&delta=1e-6&")
    assert "&significance=0.1&" in link
    monkeypatch.setattr(export, "exhibits_of", {address: (exhibits, link, problems)}.__getitem__)  # drawn once
    monkeypatch.setattr(export, "get_plotlyjs", lambda: "")  # which has megabytes
    assert main([address, str(folder), "--html"]) == 0
    names = {exhibit.name for exhibit in exhibits}
    assert len(names) == len(exhibits)
    assert {path.name for path in folder.iterdir()} == {f"{name}.{kind}" for name in names for kind in ("csv", "html")}
    assert len(capsys.readouterr().out.splitlines()) == 2 * len(names)
    for exhibit in exhibits:
        csv = (folder / f"{exhibit.name}.csv").read_text(encoding="utf-8")
        version = f"# version: DP Trade-off Explorer {dpcore.__version__}"
        head = [line for line in csv.splitlines() if line.startswith("# ")]
        assert head[:3] == [f"# link: {link}", version, f"# date: {date.today().isoformat()}"]
        assert len(head) > 4, exhibit.name  # and the parameters
        html = (folder / f"{exhibit.name}.html").read_text(encoding="utf-8")
        assert ("<table>" if isinstance(exhibit.picture, str) else "Plotly.newPlot") in html


def test_a_part_of_the_link_that_cant_be_used_is_named_and_the_rest_is_written(tmp_path, capsys):
    assert main(["/Gaussian_bounds?epsilon=x&delta=1e-5", str(tmp_path), "--html"]) == 1
    assert "ε must be from 0 to 1e6; x was given, which is not a number. 1 is used instead." in capsys.readouterr().err
    assert "# delta: 1e-05" in (tmp_path / "ratio.csv").read_text(encoding="utf-8")
    assert get_plotlyjs() in (tmp_path / "ratio.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("link", ["", "/", "/Nothing?epsilon=1", "http://127.0.0.1:8501"])
def test_a_link_to_no_page_with_exhibits_writes_nothing_and_says_which_pages_there_are(link, tmp_path, capsys):
    assert main([link, str(tmp_path / "none")]) == 2
    assert "LINK must name one of /Accuracy, /Tables, " in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_every_page_has_a_path_of_its_own():
    assert len({page.path for page in site_map.PAGES}) == len(site_map.PAGES)
    for page in PAGES:
        assert page_of(f"https://example.org/dp/{page.path}/") == page


def test_a_size_that_is_no_size_is_refused(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["/Gaussian_bounds", str(tmp_path), "--width", "0"])
    assert "--width: must be above 0; 0 was given" in capsys.readouterr().err
