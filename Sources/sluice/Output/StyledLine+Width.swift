extension StyledLine {
    /// The line, cut to a number of columns; `nil` for no limit. A cut line ends in an ellipsis.
    func fitted(to columns: Int?) -> StyledLine {
        guard let columns, width > columns else { return self }
        var result: StyledLine = ""
        var left = columns
        for segment in segments {
            let width = DisplayWidth.of(segment.text)
            guard width >= left else {
                result.append(segment)
                left -= width
                continue
            }
            result.append(Segment(text: DisplayWidth.cut(segment.text, columns: left), style: segment.style))
            break
        }
        return result
    }

    /// The line without the spaces that fill a column at its end.
    var withoutPadding: StyledLine {
        let end = segments.lastIndex { !$0.text.allSatisfy { $0 == " " } } ?? -1
        return segments.prefix(end + 1).reduce(into: "") { $0.append($1) }
    }

    /// The line without the spaces that separate it from what is before it.
    var withoutMargin: StyledLine {
        var line: StyledLine = ""
        for segment in segments {
            let isFirst = line.width == 0
            let text = isFirst ? String(segment.text.drop { $0 == " " }) : segment.text
            line.append(Segment(text: text, style: segment.style, isWhole: segment.isWhole))
        }
        return line
    }

    /// The line as lines of at most a number of columns, broken at spaces; `nil` for no limit.
    ///
    /// A longer word stays whole, and so does a command, in the line or as the line: the terminal breaks it, and a copy
    /// of it has no gap. The later lines are indented by two columns more than the first. In a tree, they continue its branches.
    func wrapped(to columns: Int?) -> [StyledLine] {
        guard let columns, width > columns else { return [self] }
        let (lead, words) = words
        guard words.first?.text.rendered(color: false) != "sluice" else { return [self] }
        var indent: StyledLine = StyledLine(stringLiteral: Self.continuation(of: lead))
        // On a narrow terminal, deep branches would leave no room for text.
        if indent.width > columns / 2 { indent = "  " }
        var lines: [StyledLine] = []
        var line = StyledLine(stringLiteral: lead)
        var isEmpty = true
        for word in words {
            if !isEmpty, line.width + word.spaces + word.text.width > columns {
                lines.append(line)
                line = indent
                isEmpty = true
            }
            if !isEmpty { line += StyledLine(stringLiteral: String(repeating: " ", count: word.spaces)) }
            line += word.text
            isEmpty = false
        }
        return lines + [line]
    }

    private static let branches: Set<Character> = [" ", "│", "├", "└", "─"]

    /// What continues the branches of a tree, or a plain indent, on the next line.
    private static func continuation(of lead: String) -> String {
        String(lead.map { "│├".contains($0) ? "│" : " " }) + "  "
    }

    /// The indent of the line, and its words, each with the spaces before it.
    private var words: (lead: String, words: [(spaces: Int, text: StyledLine)]) {
        var lead = ""
        var words: [(spaces: Int, text: StyledLine)] = []
        var (spaces, isInLead, isQuoted) = (0, true, false)
        for segment in segments {
            var text = ""
            /// Adds the text so far to the last word, or begins a new word with it.
            func add() {
                guard !text.isEmpty else { return }
                let part = Segment(text: text, style: segment.style)
                if spaces > 0 || words.isEmpty { words.append((spaces, "")) }
                words[words.count - 1].text.append(part)
                (spaces, text) = (0, "")
            }
            for character in segment.text {
                if isInLead, Self.branches.contains(character) {
                    lead.append(character)
                } else if character == " ", !isQuoted, !segment.isWhole {
                    add()
                    spaces += 1
                } else {
                    // A message quotes a command with these.
                    if character == "`" { isQuoted.toggle() }
                    isInLead = false
                    text.append(character)
                }
            }
            add()
        }
        return (lead, words)
    }
}
