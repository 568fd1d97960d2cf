/// A line with child lines, drawn with box-drawing characters.
struct Tree {
    var line: StyledLine
    var children: [Tree] = []

    init(_ line: StyledLine, _ children: [Tree] = []) {
        self.line = line
        self.children = children
    }

    var lines: [StyledLine] { [line] + Self.lines(of: children) }

    private static func lines(of children: [Tree]) -> [StyledLine] {
        children.enumerated().flatMap { index, child in
            let isLast = index == children.count - 1
            let first: StyledLine = "\(isLast ? "└─ " : "├─ ", .dim)\(child.line)"
            let indent: StyledLine = isLast ? "   " : "\("│  ", .dim)"
            return [first] + lines(of: child.children).map { indent + $0 }
        }
    }
}
