"""Prints tables, and compares figures with their floors."""


class Table:
    """A table with columns of fixed width, printed row by row. The first column has words, the others have numbers."""

    def __init__(self, title, first, *columns):
        self.first, self.columns = first, columns
        print(f"\n{title}\n")
        print(f"{'':{first}}" + "".join(f"{name:>{width}}" for name, width in columns))

    def row(self, name, *cells):
        line = "".join(f"{self.shown(cell):>{width}}" for cell, (_, width) in zip(cells, self.columns))
        print(f"{name:{self.first}}{line}".rstrip(), flush=True)

    @staticmethod
    def shown(cell):
        if cell is None:
            return ""
        if isinstance(cell, str):
            return cell
        if isinstance(cell, int):
            return f"{cell:,}"
        return f"{cell:,.2f}" if abs(cell) < 100 else f"{cell:,.0f}"


class Floors:
    """The required figures, and the measured ones."""

    def __init__(self):
        self.rows = []
        # The file system of the rows that follow.
        self.disk = None

    def named(self, name):
        return f"{name} ({self.disk})" if self.disk else name

    def at_least(self, name, value, floor):
        self.rows.append((self.named(name), value, f"at least {floor:g}", value >= floor, value / floor))

    def at_most(self, name, value, floor):
        self.rows.append((self.named(name), value, f"at most {floor:g}", value <= floor, floor / value if value else 1))

    def print(self):
        if not self.rows:
            return
        table = Table("floors", 76, ("measured", 10), ("floor", 16), ("", 13), ("by", 8))
        for name, value, floor, reached, share in self.rows:
            table.row(name, float(value), floor, "reached" if reached else "NOT REACHED", f"{(share - 1) * 100:+.0f} %")
