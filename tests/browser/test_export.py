import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("asked", "kind", "start"),
    [((), "svg", b"<?xml"), (("--format", "pdf", "--width", "85", "--grey", "--no-title"), "pdf", b"%PDF-1.7")],
)
def test_the_pictures_of_a_link_are_written_as_files_for_paper(
    asked: tuple[str, ...], kind: str, start: bytes, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "pages.export", "/Gaussian_bounds?epsilon=10&delta=1e-5", str(tmp_path), *asked]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    written = {path.stem: path for path in tmp_path.glob(f"*.{kind}")}
    assert {"pdp_share", "profile", "ratio"} <= set(written)
    assert all(path.read_bytes().startswith(start) for path in written.values())
    if kind == "svg":
        ratio = written["ratio"].read_text(encoding="utf-8")
        for words in ("Noise asked for ÷ noise needed", "δ = 1e-5", "Classical", "ε = 10"):
            assert words in ratio


def test_a_size_that_is_no_size_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pages.export", "/Gaussian_bounds", str(tmp_path), "--width", "0"]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "--width: must be above 0; 0 was given" in done.stderr
