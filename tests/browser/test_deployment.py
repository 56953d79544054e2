"""The app as the container file starts it, under a base path: all pages draw under its security headers."""

import http.client
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
import segno
from playwright.sync_api import Page, Request, expect
from streamlit import config

from pages.export import exhibits_of
from pages.framework.layout.security_headers import SENTENCES, SESSION_IS_FULL, script_hash
from pages.report import document
from pages.shared import site_map
from tests.browser import container, reading
from tests.browser.conftest import ROOT, free_port, running_server
from tests.browser.test_uploads import TABLE, choose, table, uploader

BASE = "/dp"
DISTRIBUTIONS = {"docx": "python-docx", "flint": "python-flint", "markdown_it": "markdown-it-py", "pywt": "pywavelets"}
DEPLOY = ROOT / ".deploy"
NGINX = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
UNIT = (DEPLOY / "dp-explorer@.service").read_text(encoding="utf-8")
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self' blob: 'sha256-",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin",
    "Permissions-Policy": "camera=(), ",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with exactly the files that the container file copies."""
    folder = tmp_path_factory.mktemp("container")
    container.copied(folder)
    return folder


@pytest.fixture(scope="module")
def environment(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return exactly the variables that the container file and `docker run -e` set."""
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    home = str(tmp_path_factory.mktemp("home"))
    return container.environment() | {"PATH": path, "HOME": home, "STREAMLIT_SERVER_BASE_URL_PATH": BASE.strip("/")}


@pytest.fixture(scope="module")
def served(folder: Path, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of the app, started by the command of the container file in the copied folder."""
    before = {*folder.rglob("*")}
    command, log = json.loads(container.only("CMD")), tmp_path_factory.mktemp("served") / "log.txt"
    with running_server(log, free_port(), command, folder, environment, BASE) as address:
        yield address
    assert "external IP" not in log.read_text()  # for which it would ask a server on the internet
    assert {*folder.rglob("*"), *Path(environment["HOME"]).rglob("*")} == before, "it must run where nothing is written"


def test_the_container_installs_what_the_app_imports_and_runs_it_as_nobody_on_its_port(folder: Path):
    assert {name for name, _ in container.instructions()} == {
        *("FROM", "ENV", "WORKDIR", "COPY", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "CMD")
    }
    install, compile_all = container.all_of("RUN")
    assert install.startswith("pip install ")
    assert compile_all.startswith("python -m compileall ")
    modules = {name.split(".")[0] for name in container.imported(folder)} - sys.stdlib_module_names
    others = {name for name in modules if not (folder / name).is_dir()}
    required = set(re.findall("^([a-z0-9-]+)==", (folder / ".deploy/requirements.lock").read_text(), re.MULTILINE))
    assert {"numpy", "streamlit", "starlette"} <= others
    assert {DISTRIBUTIONS.get(name, name) for name in others} <= required
    assert container.only("FROM") == "docker.io/library/python:3.11-slim"
    assert container.only("USER") == "10001:10001"
    assert container.only("EXPOSE") == container.environment()["STREAMLIT_SERVER_PORT"]
    assert container.environment()["STREAMLIT_SERVER_ADDRESS"] == "0.0.0.0"


def test_the_health_check_distinguishes_a_server_that_answers_from_one_that_does_not(
    served: str, environment: dict[str, str]
):
    command = container.only("HEALTHCHECK").partition("CMD ")[2]
    for port, healthy in ((urlsplit(served).port, True), (free_port(), False)):
        server_environment = environment | {"STREAMLIT_SERVER_PORT": str(port)}
        done = subprocess.run(["/bin/sh", "-c", command], env=server_environment, check=False, capture_output=True)
        assert (done.returncode == 0) == healthy, done.stderr


@pytest.mark.parametrize("path", ["/", "/Gaussian_bounds", "/_stcore/health", "/favicon.png", "/nothing/at/all"])
def test_every_answer_carries_the_security_headers_once(served: str, path: str):
    with urlopen(served + path) as reply:
        for name, start in HEADERS.items():
            (value,) = reply.headers.get_all(name)
            assert value.startswith(start)
        assert "unsafe-inline" not in re.findall("script-src[^;]*", reply.headers["Content-Security-Policy"])[0]


def test_a_report_opened_for_printing_may_run_its_scripts_under_the_policy_of_its_page(served: str):
    with urlopen(served) as reply:
        allowed = reply.headers["Content-Security-Policy"]
    assert all(script_hash(script) in allowed for script in document.scripts())


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://{host}", 101),
        ("http://localhost", 403),
        ("null", 403),
        ("://{host}", 403),
        ("//{host}", 403),
        ("ftp://{host}", 403),
        ("http://{host}/", 403),
        ("http://[{host}", 403),
    ],
)
def test_a_websocket_opens_for_the_servers_own_pages_alone(served: str, origin: str, status: int):
    host = urlsplit(served).netloc
    asking = http.client.HTTPConnection(host, timeout=10)
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    headers |= {"Sec-WebSocket-Key": "x3JJHMbDL1EzLkh9GBhXDw==", "Origin": origin.format(host=host)}
    asking.request("GET", f"{BASE}/_stcore/stream", headers=headers)
    assert asking.getresponse().status == status
    asking.close()


@pytest.fixture
def strict(page: Page) -> Iterator[Page]:
    """Return a tab that fails on refused requests, except where Streamlit looks for its base path."""
    refused: list[str] = []

    def note(message: str) -> None:
        refused.append(message)

    def hear(message) -> None:
        if message.type in ("error", "warning") and "status of 404" not in message.text:
            note(message.text)

    def answered(reply) -> None:
        if reply.status >= 400 and not re.search(r"/dp/\w[^/]*/_stcore/(health|host-config)$", reply.url):
            note(f"{reply.status} {reply.url}")

    page.on("console", hear)
    page.on("response", answered)
    yield page
    page.remove_listener("console", hear)
    page.remove_listener("response", answered)
    assert refused == []


def test_pages_draw_under_the_headers_and_links_history_and_files_hold_under_the_base_path(strict: Page, served: str):
    reading.visit(strict, f"{served}/?epsilon=2", reading.PATHS["/"])
    reading.go_to(strict, "Classroom")
    strict.get_by_role("link", name="Where the classical formula breaks").click()
    expect(strict.get_by_role("heading", level=1)).to_have_text(reading.BOUNDS)
    reading.settle(strict)
    assert urlsplit(strict.url).path == f"{BASE}/Gaussian_bounds"
    strict.get_by_text("How this is computed").click()
    expect(strict.locator(".katex").first).to_be_visible()
    expect_history_code_and_files(strict)
    for page in (site_map.TABLES, site_map.REPORT):
        reading.go_to(strict, page.name)
        reading.expect_no_error(strict)
        assert urlsplit(strict.url).path == f"{BASE}/{page.path}"
        assert reading.link(strict)["epsilon"] == "2"
        tabs = strict.locator(".dp-sections a").evaluate_all("links => links.map((link) => link.pathname)")
        assert {tab.rpartition("/")[0] for tab in tabs} <= {BASE}


def expect_history_code_and_files(strict: Page) -> None:
    """Expect that going back, a reload, the code of the link and the numbers of a chart are right at ε = 2."""
    reading.enter(strict, reading.EPSILON, "2")
    expect(reading.answer(strict)).to_contain_text("At ε = 2,")
    strict.go_back()
    expect(reading.answer(strict)).to_contain_text("At ε = 10,")
    strict.go_forward()
    expect(reading.answer(strict)).to_contain_text("At ε = 2,")
    strict.reload()
    reading.settle(strict)
    expect(reading.answer(strict)).to_contain_text("At ε = 2,")
    strict.get_by_role("button", name="Share").click()
    strict.get_by_role("button", name="QR code of the link").click()
    expect(strict.locator(".dp-code svg")).to_be_visible()
    strict_paths = re.findall(' d="([^"]+)"', strict.locator(".dp-code svg").inner_html())
    wanted = segno.make(strict.url, micro=False).svg_inline(scale=6, border=4, light="white")
    assert strict_paths == re.findall(' d="([^"]+)"', wanted)
    strict.keyboard.press("Escape")
    with strict.expect_download() as saved:
        strict.get_by_role("button", name="Save this chart").first.click()
        strict.get_by_role("button", name="Numbers as CSV").click()
    written = saved.value.path().read_text(encoding="utf-8")
    exhibits, linked, problems = exhibits_of(strict.url)
    assert problems == []
    assert linked in written
    assert "ratio" in [exhibit.name for exhibit in exhibits]


def put(example: Request, name: str, size: int) -> int:
    """Upload that many bytes as a tab does, under a name that its page does not know; return the status."""
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="big.csv"\r\n\r\n'
    sent = {key: value for key, value in example.all_headers().items() if key in ("cookie", "x-xsrftoken", "origin")}
    address = urlsplit(example.url)
    asking = http.client.HTTPConnection(address.netloc, timeout=20)
    body = head + bytes(size) + b"\r\n--x--\r\n"
    path = f"{address.path.rpartition('/')[0]}/{name}"
    with suppress(BrokenPipeError, ConnectionResetError):  # an answer that comes before the end
        asking.request("PUT", path, body, sent | {"Content-Type": "multipart/form-data; boundary=x"})
    status = asking.getresponse().status
    asking.close()
    return status


def test_one_tab_cannot_fill_the_memory_of_the_server_and_an_honest_upload_then_says_so(
    page: Page, served: str, tmp_path: Path
):
    reading.visit(page, f"{served}/Tables", 2)
    field, puts = uploader(page), list[Request]()
    page.on("request", lambda request: puts.append(request) if request.method == "PUT" else None)
    choose(field, TABLE)
    expect(page.get_by_role("button", name="Back to the sample table")).to_be_visible()
    reading.settle(page, 0)
    assert [put(puts[0], f"invented-{place}", 39 * 2**20) for place in range(4)] == [204] * 4
    assert put(puts[0], "invented-4", 5 * 2**20) == SESSION_IS_FULL
    following = tmp_path / "next.csv"
    following.write_bytes(b"x;1\n" * 1_800_000)
    choose(field, following)
    refused = field.get_by_role("alert")
    expect(refused).to_have_text(f"next.csv was not taken. {SENTENCES[SESSION_IS_FULL]}")
    expect(field.get_by_test_id("stFileChip")).to_have_count(0)
    reading.expect_no_error(page)
    choose(field, table("third.csv"))
    expect(refused).to_have_count(0)
    expect(page.get_by_test_id("stBaseButton-tertiary").filter(has_text="Remove third.csv")).to_be_visible()
    expect(field.get_by_test_id("stFileChip")).to_have_count(0)


def test_the_proxy_the_unit_and_the_container_agree_on_path_ports_command_and_upload():
    assert re.findall(r"STREAMLIT_SERVER_BASE_URL_PATH=(\S+)", UNIT) == [BASE.strip("/")]
    assert set(re.findall(r"location (?:= )?(\S+)", NGINX)) == {BASE, f"{BASE}/", f"{BASE}/_stcore/metrics"}
    ports = re.findall(r"server 127\.0\.0\.1:(\d+)", NGINX)
    assert re.findall(r"dp/class/\(\?<dp_port>([\d|]+)\)-", NGINX) == ["|".join(ports)]
    assert f"enable --now {' '.join(f'dp-explorer@{port}' for port in ports)}\n" in UNIT
    assert re.findall(r"ExecStart=\S+/python (.*)", UNIT) == [" ".join(json.loads(container.only("CMD"))[1:])]
    assert re.findall(r"client_max_body_size (\d+)m", NGINX) == [str(config.get_option("server.maxUploadSize") + 1)]
