import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_pictures_of_a_link_are_written_as_files_for_paper(tmp_path: Path) -> None:
    asked = ("--format", "svg", "--width", "85", "--grey", "--no-title")
    command = [sys.executable, "-m", "pages.export", "/Gaussian_bounds?epsilon=10&delta=1e-5", str(tmp_path), *asked]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    written = {path.stem: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.svg")}
    assert {"sigma_delta", "profile", "ratio"} <= set(written)
    assert all(picture.startswith("<?xml") and 'width="85mm"' in picture for picture in written.values())
    for words in ("δ = 1e-5", "Classical", "ε = 10"):
        assert words in written["ratio"]
    assert "Noise of each bound relative to the minimum" not in written["ratio"].partition("</metadata>")[2]


def test_a_size_that_is_no_size_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pages.export", "/Gaussian_bounds", str(tmp_path), "--width", "0"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "--width: must be above 0; 0 was given" in done.stderr
