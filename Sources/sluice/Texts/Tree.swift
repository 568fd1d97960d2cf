/// A line with child lines, drawn with box-drawing characters.
struct Tree {
    var line: StyledLine
    var children: [Tree] = []
    /// Shown below the children.
    var picture: TerminalPicture?

    init(_ line: StyledLine, _ children: [Tree] = [], picture: TerminalPicture? = nil) {
        self.line = line
        self.children = children
        self.picture = picture
    }

    var lines: [StyledLine] { [line] + linesBelow }

    private var linesBelow: [StyledLine] {
        let text = children.enumerated().flatMap { index, child in
            let isLast = index == children.count - 1
            let first: StyledLine = "\(isLast ? "└─ " : "├─ ", .dim)\(child.line)"
            let indent: StyledLine = isLast ? "   " : "\("│  ", .dim)"
            return [first] + child.linesBelow.map { indent + $0 }
        }
        return text + (picture?.lines ?? [])
    }
}
