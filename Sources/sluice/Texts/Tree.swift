/// Lines below lines, drawn with the box-drawing characters.
struct Tree {
    var line: Line
    var children: [Tree] = []

    init(_ line: Line, _ children: [Tree] = []) {
        self.line = line
        self.children = children
    }

    var lines: [Line] { [line] + Self.lines(of: children) }

    private static func lines(of children: [Tree]) -> [Line] {
        children.enumerated().flatMap { index, child in
            let isLast = index == children.count - 1
            let first: Line = "\(isLast ? "└─ " : "├─ ", .dim)\(child.line)"
            let indent: Line = isLast ? "   " : "\("│  ", .dim)"
            return [first] + lines(of: child.children).map { indent + $0 }
        }
    }
}
