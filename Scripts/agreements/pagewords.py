"""The words of a page of HTML, found with Python's html.parser."""
import collections
import html.parser
import re

HIDDEN = {"head", "script", "style", "rp", "rt"}
INLINE = set("""
    a abbr b bdi bdo big cite code del dfn em font i img ins kbd mark q rb ruby s samp small span strike strong sub sup
    time tt u var wbr""".split())


class Page(html.parser.HTMLParser):
    """Collects the text, the title and the first h1."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.texts, self.hidden = [], []
        self.parts = {"title": [], "h1": []}
        self.ended = set()
        self.open = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag == "body":
            self.hidden = []
        if tag in HIDDEN:
            self.hidden.append(tag)
        elif tag not in INLINE:
            self.texts.append("\n")
        if tag in self.parts and tag not in self.ended and not self.open:
            self.open = tag

    def handle_endtag(self, tag):
        if tag in HIDDEN and tag in self.hidden:
            self.hidden.remove(tag)
        elif tag not in INLINE:
            self.texts.append("\n")
        if tag == self.open:
            self.open = None
            self.ended.add(tag)

    def handle_data(self, data):
        if self.open:
            self.parts[self.open].append(data)
        if not self.hidden and self.open != "title":
            self.texts.append(data)

    @property
    def title(self):
        """The title, or else the first h1."""
        for name in ("title", "h1"):
            text = " ".join("".join(self.parts[name]).split())
            if text:
                return text
        return ""

    @property
    def text(self):
        return "".join(self.texts)


def words(text):
    return collections.Counter(re.findall(r"[^\W_]+", text.lower()))


def print_rows(disagreements):
    """The rows of a table of disagreements: file, finding, their value, ours."""
    for file, field, other, mine in disagreements:
        print(f"| {file.name} | {field} | {str(other)[:160]} | {str(mine)[:160]} |".replace("\n", " "))


def share(theirs, ours):
    """How many of their words we have, and of ours they have; the first few that differ."""
    missing, more = theirs - ours, ours - theirs
    first, other = (" ".join(list(differing)[:6]) for differing in (missing, more))
    return sum(theirs.values()), sum(missing.values()), sum(more.values()), first, other
