# SPDX-License-Identifier: MIT
"""Tries `bale report --html` in a real browser: DOM, pixels, keyboard.

    report_page.py PAGE REPORT [SCREENSHOT]

PAGE was made of REPORT, whose figures are added up here a second time. Prints
TAP; SCREENSHOT gets a picture of the page.
"""
import json
import sys

import browser

FATES = ("full", "partial", "signatures", "skipped", "duplicate", "secret",
         "poison")
number = 0


def check(good, what):
    global number
    number += 1
    print("%sok %d - %s" % ("" if good else "not ", number, what), flush=True)


def colour(page, name):
    """A colour of the page's own table, as (r, g, b)."""
    text = page.value("getComputedStyle(document.documentElement)"
                      ".getPropertyValue('--%s').trim()" % name)
    return tuple(int(text[i:i + 2], 16) for i in (1, 3, 5))


def shares_of_map(page):
    """Share of the map that each colour covers, from the pixels."""
    box = page.value("(b => [b.x, b.y, b.width, b.height])"
                     "(document.getElementById('map')"
                     ".getBoundingClientRect())")
    x, y, width, height = (round(v) for v in box)
    return page.screenshot(x + 2, y + 2, width - 4, height - 4).shares()


def text(page, selector):
    return page.value("document.querySelector('%s').textContent" % selector)


def look_at(page, report):
    paths = {r["path"] for r in report["selected"] + report["excluded"]}
    some = {r["path"] for r in report["selected"]}
    ranges = [r for r in report["selected"] + report["excluded"]
              if r.get("tier") != "signatures"]
    alone = {r["path"]: r["text_tokens"] for r in report["selected"]
             if r.get("tier") == "signatures"}
    for r in ranges:
        alone.pop(r["path"], None)
    want = (sum(r["tokens"] for r in ranges if r["path"] in some) +
            sum(alone.values())) / \
        (sum(r["tokens"] for r in ranges) + sum(alone.values()))
    check(page.value("document.documentElement.dataset.files") ==
          str(len(paths)), "every file is there")
    check("{:,}".format(report["budget"]["used"]) in text(page, "#figures"),
          "the tokens used are the report's")
    rows = page.value("document.querySelectorAll('#files tbody tr').length")
    check(2 < rows < 200, "the table holds only what can be seen")
    shares = shares_of_map(page)
    packed = sum(shares.get(colour(page, name), 0)
                 for name in ("full", "partial", "signatures"))
    # lines between the boxes and headings take their part
    check(want * 0.7 <= packed <= want * 1.1,
          "the packed part of the map (%.3f) is that of the tokens (%.3f)" %
          (packed, want))
    return paths


def look_at_signatures(page, report):
    """What signatures are of counts with its own tokens, and once."""
    want = {}
    for r in report["selected"] + report["excluded"]:
        f = want.setdefault(r["path"], {"lines": 0, "text": 0})
        if r.get("tier") == "signatures":
            f["text"] = r["text_tokens"]
        else:
            f["lines"] += r["tokens"]
            f["is_part"] = f.get("is_part") or "tier" in r
    of = {path: f for path, f in want.items() if f["text"] > 0}
    both = [f for f in of.values() if f.get("is_part")]
    check(0 < len(both) < len(of) and
          all(f["text"] == f["lines"] for f in both),
          "text beside signatures adds up to what they are of (%d of %d)" %
          (len(both), len(of)))
    legend = page.value("document.querySelector('#legend "
                        "[data-fate=signatures]').textContent")
    alone = [f["text"] for f in of.values() if not f.get("is_part")]
    check("{:,} files, {:,} tokens".format(len(alone), sum(alone)) in legend,
          "signatures alone are files of that kind: " + legend)
    total = sum(max(f["text"], f["lines"]) for f in want.values())
    check("{:,} tokens".format(total) in text(page, "#tip"),
          "all files have %d tokens, each counted once" % total)


def try_keys(page, paths):
    page.value("document.getElementById('map').focus()")
    before = page.value("document.querySelectorAll('#trail button').length")
    page.press("ArrowRight")
    check(": " in text(page, "#tip"), "an arrow names what it is on")
    page.press("Enter")
    after = page.value("document.querySelectorAll('#trail button').length")
    check(after > before, "Enter goes into a directory")
    page.press("Escape")
    check(page.value("document.querySelectorAll('#trail button').length") ==
          before, "Escape goes back")
    word = sorted(paths)[0].rsplit("/", 1)[-1].lower()
    hits = sum(word in p.lower() for p in paths)
    page.press("/")
    page.type(word)
    page.value("new Promise(done => setTimeout(done, 300))")
    check(text(page, "#shown").startswith("{:,} of".format(hits)),
          "/ and a word find %d files" % hits)
    page.value("document.getElementById('find').value = '';"
               "document.getElementById('find').oninput();"
               "new Promise(done => setTimeout(done, 300))")


def try_table(page, report):
    totals = {}
    for r in report["selected"] + report["excluded"]:
        totals.setdefault(r["path"], 0)
    for r in report["selected"]:
        totals[r["path"]] += r["tokens"]
    cell = "document.querySelectorAll('#files tbody tr')[1].cells[%d]"
    top = max(totals.values())
    check(page.value(cell % 2 + ".textContent") == "{:,}".format(top),
          "the largest of what was packed comes first")
    page.value("document.getElementById('packed').click()")
    some = len({r["path"] for r in report["selected"]})
    shares = shares_of_map(page)
    check(text(page, "#shown").startswith("{:,} of".format(some)) and
          sum(shares.get(colour(page, f), 0) for f in FATES[3:]) < 0.02,
          "packed only: %d files, and nothing else in the map" % some)
    page.value("document.getElementById('packed').click()")
    page.value("document.querySelectorAll('#files th button')[0].click()")
    check(page.value(cell % 0 + ".title") == min(
        totals, key=lambda p: [ord(c) for c in p]), "sorted by path")
    page.value("document.getElementById('fate').value = 'full';"
               "document.getElementById('fate').onchange()")
    full = page.value("[...document.querySelectorAll('#files tbody tr')]"
                      ".slice(1, -1).every(r => "
                      "r.cells[3].textContent === 'full')")
    check(full, "the filter keeps what it says")


def contrast(a, b):
    """Of two colours, as WCAG 2 has it."""
    def light(colour):
        parts = [c / 255 for c in colour]
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
                 for c in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    high, low = sorted((light(a), light(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def look_at_contrast(page, what):
    paper, panel = colour(page, "paper"), colour(page, "panel")
    poor = [f for f in FATES + ("focus",)
            if contrast(colour(page, f), paper) < 3]
    poor += [t for t in ("ink", "soft")
             if min(contrast(colour(page, t), paper),
                    contrast(colour(page, t), panel)) < 4.5]
    check(poor == [], "%s: what has to be seen or read stands out %s" %
          (what, poor or ""))


def try_fates(page, report):
    """The buttons below the map: in the map and in the table only those."""
    click = ("[...document.querySelectorAll('#legend button')]"
             ".find(b => b.dataset.fate === '%s').click()")
    reasons = {r["path"]: r["reason"] for r in report["excluded"]}
    for fate in ("secret", "poison"):
        number = sum(reason == fate for reason in reasons.values())
        share = shares_of_map(page).get(colour(page, fate), 0)
        page.value(click % fate)
        shown = text(page, "#shown")
        pressed = page.value(
            "document.querySelector('#legend [aria-pressed=true]')"
            ".dataset.fate")
        alone = shares_of_map(page)
        others = sum(alone.get(colour(page, f), 0) for f in FATES
                     if f != fate)
        page.value(click % fate)
        check(number > 0 and share > 0 and pressed == fate and
              shown.startswith("%d of" % number) and others < 0.02 and
              alone.get(colour(page, fate), 0) > share / 2,
              "%s: %d in the map, alone when they are asked for" %
              (fate, number))
    check(page.value("document.querySelector('#legend [aria-pressed=true]')")
          is None, "and all of them again")


def look_at_names(page):
    """What a reader of the screen is told."""
    nameless = page.value(
        "[...document.querySelectorAll('button, select, input, table, canvas,"
        " section, [tabindex]')].filter(e => !(e.textContent.trim() ||"
        " e.getAttribute('aria-label') || (e.getAttribute('aria-labelledby')"
        " && document.getElementById(e.getAttribute('aria-labelledby')))))"
        ".map(e => e.outerHTML.slice(0, 80))")
    check(nameless == [], "all that can be used has a name %s" %
          (nameless or ""))
    check(page.value("['main', 'header', 'h1'].every(t => "
                     "document.querySelectorAll(t).length === 1) && "
                     "document.documentElement.lang === 'en'"),
          "the page has its landmarks")
    check(page.value("[...document.querySelectorAll('th')].every(t => "
                     "t.scope === 'col')") and
          page.value("+document.querySelector('#files table')"
                     ".getAttribute('aria-rowcount')") ==
          page.value("+document.documentElement.dataset.files") + 1,
          "tables say what they are")
    stops = []
    page.value("document.activeElement.blur()")
    for _ in range(60):
        page.press("Tab")
        stop = page.value("document.activeElement.id ||"
                          " document.activeElement.parentNode.id ||"
                          " document.activeElement.tagName")
        if stop not in stops:
            stops.append(stop)
    check(all(s in stops for s in ("find", "up", "map", "legend", "fate",
                                   "files")),
          "Tab comes to all of it: %s" % " ".join(stops))


def look_at_narrow(page):
    check(page.value("document.documentElement.scrollWidth") == 420,
          "nothing is wider than a narrow window")
    page.value("document.querySelectorAll('td.path bdi').forEach("
               "b => { b.textContent = 'long/'.repeat(40) + 'name.c'; })")
    check(page.value("[...document.querySelectorAll('td.path bdi')].every(b =>"
                     " b.getBoundingClientRect().right <="
                     " b.parentNode.getBoundingClientRect().right)"),
          "the end of a long path is seen")
    check(page.value("[...document.querySelectorAll('.two th')].every(t =>"
                     " t.scrollWidth <= t.clientWidth)"),
          "titles of columns are whole")


def main():
    page_path, report_path = sys.argv[1:3]
    with open(report_path, encoding="utf-8") as file:
        report = json.load(file)
    page = browser.Browser()
    try:
        page.open(page_path)
        paths = look_at(page, report)
        look_at_signatures(page, report)
        if len(sys.argv) > 3:
            with open(sys.argv[3], "wb") as file:
                file.write(page.screenshot().data)
        look_at_contrast(page, "light")
        try_fates(page, report)
        try_keys(page, paths)
        look_at_names(page)
        try_table(page, report)
        check(page.value("window.hacked === undefined"),
              "nothing of a name was run")
        light = colour(page, "paper")
        check(page.problems() == [], "no error, and nothing was loaded")
    finally:
        page.close()
    page = browser.Browser(width=420)
    try:
        page.open(page_path)
        look_at_narrow(page)
    finally:
        page.close()
    page = browser.Browser(dark=True)
    try:
        page.open(page_path)
        dark = colour(page, "paper")
        look_at_contrast(page, "dark")
        check(sum(dark) < 200 < sum(light) and
              page.screenshot(0, 0, 8, 8).at(2, 2) == dark, "dark where dark is wanted")
    finally:
        page.close()
    print("1..%d" % number)


if browser.find() is None:
    print("ok 1 # SKIP chromium is missing")
    print("1..1")
else:
    main()
