"""Puts the documents and notebooks together for mdBook, and checks the links of what it makes. Called by site.sh.

    site.py stage STAGED        the book's folder, from docs/SUMMARY.md and docs/site
    site.py check SITE          every link inside the site leads somewhere
"""

import html.parser
import os
import re
import shutil
import sys
import urllib.parse
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = ROOT / "docs/SUMMARY.md"
# Documents of the repository that are no pages for readers.
LEFT_OUT = {"docs/SUMMARY.md"}

# Blocks of code and code in a line: what they hold is no link and no formula.
CODE = re.compile(r"(^(?P<fence>```+|~~~+).*?^(?P=fence)[ \t]*$|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`))", re.S | re.M)
DISPLAYED = re.compile(r"^```math\n(.*?)\n```$", re.S | re.M)
INLINE = re.compile(r"(?<![\\$\w])\$(?! )([^$\n]+?)(?<! )\$(?![\w$])")
LINK = re.compile(r"(?P<before>\]\(|(?:src|href|srcset)=\")(?P<target>[^)\s\"]+)")


def is_elsewhere(target: str) -> bool:
    return bool(urllib.parse.urlsplit(target).scheme) or target.startswith(("//", "#"))


def chapters() -> list[Path]:
    """The files that SUMMARY.md names, relative to the repository."""
    targets = re.findall(r"\]\(([^)]+)\)", SUMMARY.read_text())
    return [Path(os.path.normpath(Path("docs") / target)) for target in targets]


def page_of(chapter: Path) -> Path:
    """Where a chapter stands in the book."""
    if chapter.suffix == ".ipynb":
        return chapter.with_suffix(".md")
    return chapter.with_name("index.md") if chapter.name == "README.md" else chapter


class Stage:
    def __init__(self, folder: Path):
        self.book, self.source = folder, folder / "src"
        self.chapters = set(chapters())

    def make(self) -> None:
        shutil.rmtree(self.book, ignore_errors=True)
        shutil.copytree(ROOT / "docs/site", self.book)
        for chapter in sorted(self.chapters):
            text = self.notebook(chapter) if chapter.suffix == ".ipynb" else (ROOT / chapter).read_text()
            self.write(page_of(chapter), self.rewritten(text, chapter))
        summary = LINK.sub(lambda link: link["before"] + self.linked(link["target"], Path("docs/SUMMARY.md"), Path()), SUMMARY.read_text())
        self.write(Path("SUMMARY.md"), summary)

    def write(self, page: Path, text: str) -> None:
        path = self.source / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def notebook(self, chapter: Path) -> str:
        """A notebook with the outputs that it was committed with; its images are put beside it."""
        from nbconvert import MarkdownExporter

        resources = {"output_files_dir": f"{chapter.stem}_files"}
        text, resources = MarkdownExporter().from_filename(str(ROOT / chapter), resources)
        for name, content in resources["outputs"].items():
            path = self.source / chapter.parent / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        # A blank line would end the element.
        return re.sub(r"<iframe\b.*?</iframe>", lambda frame: frame[0].replace("\n", "&#10;"), text, flags=re.S)

    def rewritten(self, text: str, chapter: Path) -> str:
        """The text with formulas as MathML and links to what is in the site."""
        from latex2mathml.converter import convert

        def formula(tex: str, display: str) -> str:
            try:
                return convert(tex, display=display).replace("\n", " ")
            except Exception as error:
                sys.exit(f"{chapter}: cannot read the formula {tex}: {error!r}")

        text = DISPLAYED.sub(lambda found: formula(found[1], "block"), text)
        parts = []
        end = 0
        for code in CODE.finditer(text):
            parts += [(text[end : code.start()], True), (code[0], False)]
            end = code.end()
        parts.append((text[end:], True))
        folder = page_of(chapter).parent

        def of(part: str) -> str:
            part = LINK.sub(lambda link: link["before"] + self.linked(link["target"], chapter, folder), part)
            return INLINE.sub(lambda found: formula(found[1], "inline"), part)

        return "".join(of(part) if is_prose else part for part, is_prose in parts)

    def linked(self, target: str, chapter: Path, folder: Path) -> str:
        """What a chapter's link is on its page: the page of another chapter, or a copy of the file."""
        if is_elsewhere(target):
            return target
        path, mark, fragment = target.partition("#")
        path = Path(os.path.normpath(chapter.parent / urllib.parse.unquote(path)))
        if not (ROOT / path).exists() and (self.source / path).exists():
            return target  # Made with the page: the images of a notebook.
        if (ROOT / path).is_dir():
            path = path / "README.md" if (path / "README.md") in self.chapters else self.listing(path)
        if path in self.chapters:
            path = page_of(path)
        else:
            path = self.copied(path)
        return os.path.relpath(path, folder) + mark + fragment

    def copied(self, path: Path) -> Path:
        """A file that is no page, as it is; text of any kind so that a browser shows it."""
        if (self.source / path).exists():
            return path
        is_shown = path.suffix in {".svg", ".png", ".jpg", ".html", ".json", ".txt"}
        # mdBook takes whatever has ".md" in its name for a page.
        to = path if is_shown else path.with_name(path.name.removesuffix(".md") + ".txt")
        (self.source / to).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, self.source / to)
        return to

    def listing(self, folder: Path) -> Path:
        """A folder without a page of its own: the names of its files."""
        names = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file())
        to = folder / "files.txt"
        self.write(to, "".join(f"{name}\n" for name in names))
        return to


class Page(html.parser.HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def check(site: Path) -> None:
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    broken, elsewhere = [], []
    for path, page in pages.items():
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            to = path.parent / urllib.parse.unquote(parts.path) if parts.path else path
            to = Path(os.path.normpath(to / "index.html" if to.is_dir() else to))
            anchor = urllib.parse.unquote(parts.fragment)
            # 404.html is served from any address, with links from the root.
            if parts.path.startswith("/") or path.name == "404.html":
                continue
            if not to.exists() or (anchor and to in pages and anchor not in pages[to].anchors):
                broken.append(f"{path.relative_to(site)}: {link}")
    for path, page in pages.items():
        text = re.sub(r"<(pre|code)\b.*?</\1>", "", path.read_text(), flags=re.S)
        if re.search(r"<(?:script|link|img)[^>]+(?:src|href)=\"https?:", text):
            elsewhere.append(str(path.relative_to(site)))
    if broken or elsewhere or len(pages) < 50:
        sys.exit("\n".join([*broken, *(f"{page} loads from elsewhere" for page in elsewhere), f"{len(pages)} pages, {len(broken)} broken links"]))
    print(f"{len(pages)} pages, no broken link")


def check_summary() -> None:
    """Every document of the repository has a place in the site."""
    folders = [".", "docs", "python", "models", "datasets", "notebooks", "results", "experiments/*", "results/*"]
    there = {path.relative_to(ROOT) for folder in folders for path in ROOT.glob(f"{folder}/*.md" if folder != "." else "*.md")}
    there |= {path.relative_to(ROOT) for path in ROOT.glob("notebooks/*.ipynb")}
    missing = sorted(path.as_posix() for path in there - set(chapters()) if path.as_posix() not in LEFT_OUT)
    if missing:
        sys.exit(f"docs/SUMMARY.md does not name {', '.join(missing)}")


if __name__ == "__main__":
    command, folder = sys.argv[1:]
    if command == "stage":
        check_summary()
        Stage(Path(folder)).make()
    else:
        check(Path(folder))
