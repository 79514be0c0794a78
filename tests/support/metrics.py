"""Reads a page in the Prometheus text format."""

import re

SAMPLE = re.compile(r"(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>.*)\})? (?P<value>\S+)")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Metrics:
    def __init__(self, text):
        self.samples = []
        for line in text.splitlines():
            if line and not line.startswith("#"):
                match = SAMPLE.fullmatch(line)
                assert match, f"not a sample: {line!r}"
                labels = {name: _unescape(value) for name, value in LABEL.findall(match["labels"] or "")}
                self.samples.append((match["name"], labels, float(match["value"])))

    def series(self, name, **labels):
        """The (labels, value) pairs whose labels include the given ones."""
        return [
            (found, value)
            for sample, found, value in self.samples
            if sample == name and labels.items() <= found.items()
        ]

    def sum(self, name, **labels):
        return sum(value for _, value in self.series(name, **labels))

    def by(self, label, name, **labels):
        """Sums by the value of one label."""
        sums = {}
        for found, value in self.series(name, **labels):
            sums[found.get(label)] = sums.get(found.get(label), 0) + value
        return sums


def _unescape(text):
    return re.sub(r"\\(.)", lambda match: {"n": "\n"}.get(match[1], match[1]), text)
