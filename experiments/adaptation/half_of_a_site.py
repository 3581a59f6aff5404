"""Half of the pages of each site of Big9 for `duramen adapt` and `duramen model recalibrate`, the other half to test.

Usage: half_of_a_site.py PROGRAM BIG9 FOLDER, where BIG9 is the unpacked corpus and FOLDER an empty folder for pages and models.
"""

import pathlib
import shutil
import subprocess
import sys

SITES = ["arstechnica", "bbc", "cnn", "forbes", "foxnews", "latimes", "nymag", "nypost", "yahoo"]


def pages_by_site(big9: pathlib.Path) -> dict[str, list[tuple[pathlib.Path, pathlib.Path]]]:
    """The pages with their texts; a page is of the site that it names most often."""
    pages: dict[str, list[tuple[pathlib.Path, pathlib.Path]]] = {site: [] for site in SITES}
    for page in sorted(big9.glob("big5-*/html/*")):
        text = page.parent.parent / "gold" / f"{page.stem}.txt"
        if text.exists():
            html = page.read_text(errors="replace").lower()
            pages[max(SITES, key=html.count)].append((page, text))
    return pages


def run(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Runs a command of the program."""
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=True)


def main() -> None:
    """Prints what the commands say, and the scores of each model on the other half."""
    program, big9, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    for site, pages in pages_by_site(big9).items():
        place = folder / site
        for number, (page, text) in enumerate(pages):
            half = place / ("learn" if number % 2 == 0 else "test")
            half.mkdir(parents=True, exist_ok=True)
            shutil.copy(page, half / f"p{number:02}.html")
            shutil.copy(text, half / f"p{number:02}.txt")
        learn, test = place / "learn", place / "test"
        models = {"web": "web"} | {name: place / f"{name}.json" for name in ("strength-5", "chosen", "recalibrated")}
        run(program, "adapt", learn, "--strength", 5, "-o", models["strength-5"])
        print(run(program, "adapt", learn, "-o", models["chosen"]).stderr)
        print(run(program, "model", "recalibrate", "web", "--dataset", learn, "-o", models["recalibrated"]).stderr)
        for name, model in models.items():
            scores = run(program, "evaluate", "--dataset", test, "--model", model, "--metrics", "words").stdout
            print(site, name, *[line for line in scores.splitlines() if line.startswith("| hmt")], flush=True)


if __name__ == "__main__":
    main()
