import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_pictures_of_a_link_are_written_as_svg_with_their_words_and_lines(tmp_path: Path):
    command = [sys.executable, "-m", "pages.export", "/Gaussian_bounds?epsilon=10&delta=1e-5", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    drawings = sorted(path.stem for path in tmp_path.glob("*.svg"))
    assert drawings == ["counts", "pdp_share", "profile", "ratio", "sigma_delta", "sigma_epsilon"]
    ratio = (tmp_path / "ratio.svg").read_text(encoding="utf-8")
    assert ratio.startswith("<svg")
    for words in ("Noise asked for ÷ noise needed", "δ = 1e-5", "Classical", "ε = 10"):
        assert words in ratio
    assert ratio.count('class="js-line"') > 4
