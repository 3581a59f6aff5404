"""Extractors from PyPI as workers: a JSON line {"id", "url", "html"} in, {"id", "text"} or {"id", "error"} out, with
"seconds", the time of CPU that the tool took.

    worker.py TOOL [--version]
    worker.py TOOL-markdown: the text as Markdown
    worker.py TOOL-images: {"id", "text", "images", "lead"} out, the addresses of the article's images and of its lead image

Each tool gets the decoded page as a str and runs with its default options; where a choice was made it stands with
the tool.
"""

import importlib.metadata
import json
import logging
import sys
import time


def trafilatura():
    from trafilatura import extract

    # Comments are on by default, and no corpus here counts them as the article.
    return lambda html, url: extract(html, url=url, include_comments=False)


def readability_lxml():
    from lxml.html import fromstring
    from readability import Document

    def extract(html, url):
        # A part of a page, since as a whole page it may be written with an empty body.
        article = Document(html).summary(html_partial=True)
        # It gives HTML. A space between text nodes, since text_content() runs neighboring blocks together.
        return " ".join(fromstring(article).itertext())

    return extract


def trafilatura_markdown():
    from trafilatura import extract

    return lambda html, url: extract(
        html, url=url, output_format="markdown", include_comments=False, include_links=True, include_images=True
    )


def readability_lxml_markdown():
    from markdownify import markdownify
    from readability import Document

    # Headings with #, as all others write them.
    return lambda html, url: markdownify(Document(html).summary(html_partial=True), heading_style="ATX").strip()


def resiliparse():
    from resiliparse.extract.html2text import extract_plain_text

    return lambda html, url: extract_plain_text(html, main_content=True)


def justext():
    from justext import get_stoplist, justext as paragraphs

    # The corpora are English.
    words = get_stoplist("English")
    return lambda html, url: "\n".join(p.text for p in paragraphs(html, words) if not p.is_boilerplate)


def newspaper4k():
    from newspaper import Article

    def extract(html, url):
        # Nothing is loaded: the page is given.
        article = Article(url or "", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        return article.text

    return extract


def boilerpy3():
    from boilerpy3.extractors import ArticleExtractor

    return lambda html, url: ArticleExtractor().get_content(html)


def inscriptis():
    from inscriptis import get_text

    return lambda html, url: get_text(html)


def selectolax():
    from selectolax.lexbor import LexborHTMLParser

    def parse(html, url):
        # The parse alone: it has no extractor.
        LexborHTMLParser(html)
        return ""

    return parse


def addresses(article):
    """The address of each image of an lxml tree, the first that is none of a placeholder."""
    names = ("data-src", "data-original", "data-lazy-src", "src", "data-srcset", "srcset")
    found = []
    for image in article.iter("img", "amp-img", "graphic"):
        stated = (image.get(name, "").strip().split(",")[0].split(" ")[0] for name in names)
        address = next((address for address in stated if address and not address.startswith("data:")), None)
        if address and address not in found:
            found.append(address)
    return found


def trafilatura_images():
    from lxml.etree import fromstring
    from trafilatura import extract, extract_metadata

    def find(html, url):
        xml = extract(html, url=url, include_comments=False, include_images=True, output_format="xml")
        metadata = extract_metadata(html, default_url=url)
        images = addresses(fromstring(xml)) if xml else []
        return {"text": xml and extract(html, url=url, include_comments=False) or "", "images": images,
                "lead": metadata.image if metadata else None}

    return find


def readability_lxml_images():
    from lxml.html import fromstring
    from readability import Document

    def find(html, url):
        article = fromstring(Document(html).summary(html_partial=True))
        return {"text": " ".join(article.itertext()), "images": addresses(article)}

    return find


def newspaper4k_images():
    from newspaper import Article

    def find(html, url):
        article = Article(url or "", fetch_images=False)
        article.download(input_html=html)
        article.parse()
        node = article.top_node
        return {"text": article.text, "images": addresses(node) if node is not None else [], "lead": article.top_image or None}

    return find


# Name on the command line: how to make it, and its name on PyPI.
TOOLS = {
    "trafilatura": (trafilatura, "trafilatura"),
    "readability-lxml": (readability_lxml, "readability-lxml"),
    "resiliparse": (resiliparse, "Resiliparse"),
    "justext": (justext, "jusText"),
    "newspaper4k": (newspaper4k, "newspaper4k"),
    "boilerpy3": (boilerpy3, "boilerpy3"),
    "inscriptis": (inscriptis, "inscriptis"),
    "selectolax": (selectolax, "selectolax"),
    "trafilatura-markdown": (trafilatura_markdown, "trafilatura"),
    "readability-lxml-markdown": (readability_lxml_markdown, "readability-lxml"),
    "trafilatura-images": (trafilatura_images, "trafilatura"),
    "readability-lxml-images": (readability_lxml_images, "readability-lxml"),
    "newspaper4k-images": (newspaper4k_images, "newspaper4k"),
}


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in TOOLS:
        sys.exit(f"usage: worker.py {'|'.join(TOOLS)} [--version]")
    make, package = TOOLS[sys.argv[1]]
    try:
        if sys.argv[2:] == ["--version"]:
            print(f"{package} {importlib.metadata.version(package)}")
            return
        extract = make()
    except ImportError as error:
        sys.exit(f"{package} cannot be loaded ({error}): run experiments/peers/install.sh")
    logging.disable()
    sys.setrecursionlimit(10_000)
    # Tools may print: nothing but answers may reach standard output.
    output = sys.stdout
    sys.stdout = sys.stderr
    sys.stdin.reconfigure(encoding="utf-8")
    output.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        page = json.loads(line)
        start = time.process_time()
        try:
            found = extract(page["html"], page["url"]) or ""
            answer = {"id": page["id"], **(found if isinstance(found, dict) else {"text": found})}
        except Exception as error:
            answer = {"id": page["id"], "error": f"{type(error).__name__}: {error}"}
        answer["seconds"] = time.process_time() - start
        # Lone surrogates, which no text may hold, become question marks.
        text = json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
        print(text, file=output, flush=True)


main()
