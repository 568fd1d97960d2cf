import SinkTools

/// The title of a text for people: its first heading, or else its first line with words.
package enum Headings {
    /// The longest title, in characters; a longer line is cut at a word.
    static let longest = 120
    /// The longest word of a title, in ASCII. A longer one is data, such as Base64.
    static let longestWord = 60
    /// The characters that are searched for a title.
    static let searched = 20_000
    /// The beginning of a line that is looked at, in scalars.
    static let searchedOfLine = 500
    /// The lines that are searched for a heading.
    static let searchedLines = 100

    /// Sets the title, and what the front matter of Markdown says.
    package static func describe(_ text: String, _ note: inout Note) {
        var lines = text.prefix(searched).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { String($0).cleaned(limit: searchedOfLine) }[...]
        while lines.first?.isEmpty == true { lines.removeFirst() }
        if lines.first == "---" { readFrontMatter(&lines, &note) }
        note.complete("title", title(of: lines.prefix(searchedLines)).map { shortened($0.singleSpaced) })
    }

    private static func title(of lines: ArraySlice<String>) -> String? {
        for index in lines.indices {
            if let title = heading(lines, index) { return title }
        }
        guard let first = lines.first(where: hasWord), !isCode(first) else { return nil }
        return undecorated(first)
    }

    /// A heading of Markdown, AsciiDoc, reStructuredText, Org or LaTeX at this line.
    private static func heading(_ lines: ArraySlice<String>, _ index: Int) -> String? {
        let line = lines[index]
        guard hasWord(line) else { return nil }
        for (mark, end) in [("# ", "#"), ("= ", "="), ("#+TITLE:", ""), ("#+title:", ""), ("* ", "*")] {
            guard line.hasPrefix(mark) else { continue }
            // A line of `* ` begins a list as often as a heading of Org; a heading has no neighbor of the same form.
            if mark == "* ", lines.first != line || neighbor(lines, index).contains(where: { $0.hasPrefix(mark) }) {
                return nil
            }
            // In settings and scripts, neighboring lines of `#` are a comment.
            if mark == "# ", neighbor(lines, index).contains(where: { $0.hasPrefix("#") && !$0.hasPrefix("##") }) {
                continue
            }
            let title = undecorated(String(line.dropFirst(mark.count)), end: end)
            return hasWord(title) ? title : nil
        }
        if line.hasPrefix("\\title{"), let end = line.lastIndex(of: "}") {
            return undecorated(String(line[..<end].dropFirst(7)))
        }
        let next = index + 1 < lines.endIndex ? lines[index + 1] : ""
        return isUnderline(next, of: line) ? undecorated(line) : nil
    }

    private static func neighbor(_ lines: ArraySlice<String>, _ index: Int) -> [String] {
        [index - 1, index + 1].filter(lines.indices.contains).map { lines[$0] }
    }

    /// Whether a line repeats one mark, about as long as the line above it.
    private static func isUnderline(_ line: String, of title: String) -> Bool {
        guard let mark = line.first, "=-~^*\"#+`".contains(mark), line.count >= 3 else { return false }
        return line.allSatisfy { $0 == mark } && !title.hasPrefix("|") && title.count <= longest
            && (mark == "=" || line.count + 3 >= title.count)
    }

    private static func hasWord(_ line: String) -> Bool {
        // A single letter or a number is no title.
        line.unicodeScalars.lazy.filter { $0.isOfWord }.prefix(2).count == 2
            && line.unicodeScalars.contains { $0.isOfWord && !("0"..."9").contains($0) }
    }

    /// Whether a line is of a program or of settings, with a file name that hides it.
    private static func isCode(_ line: String) -> Bool {
        let starts = [
            "#!", "#include", "//", "/*", "import ", "package ", "using ", "<?", "<!", "<", "{", "[", "%", "@", ";",
            "--", "from ", "function ", "def ", "class ", "var ", "let ", "const ", "export ", "use ", "$", ".",
            "-----",
        ]
        return starts.contains { line.hasPrefix($0) } || line.hasSuffix("{") || line.hasSuffix(";")
            || line.split(separator: " ").contains { $0.utf8.count > longestWord && $0.utf8.allSatisfy { $0 < 0x80 } }
    }

    /// The line without the marks around it: of headings, lists, quotes and emphasis.
    private static func undecorated(_ line: String, end: String = "") -> String {
        let marks: Set<Character> = ["#", "=", "*", "-", "_", "~", ">", "+", "|", " ", "\t", "`", "•"]
        var rest = line[...]
        while let first = rest.first, marks.contains(first) { rest = rest.dropFirst() }
        while let last = rest.last, marks.contains(last) { rest = rest.dropLast() }
        return String(rest)
    }

    /// The text, cut at a word.
    package static func shortened(_ text: String) -> String {
        guard text.count > longest else { return text }
        let cut = text.prefix(longest)
        let word = cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut
        return String(word.count * 2 < longest ? cut : word) + "…"
    }

    /// Reads `key: value` lines between two lines of three hyphens.
    private static func readFrontMatter(_ lines: inout ArraySlice<String>, _ note: inout Note) {
        guard let end = lines.dropFirst().firstIndex(where: { $0 == "---" || $0 == "..." }) else { return }
        for line in lines[lines.startIndex..<end] {
            let parts = line.split(separator: ":", maxSplits: 1).map { String($0).cleaned() }
            guard parts.count == 2 else { continue }
            let value = parts[1].trimmed(of: ["\"", "'"])
            switch parts[0].lowercased() {
            case "title": note.complete("title", value)
            case "author": note.complete("author", value)
            case "description": note.complete("description", value)
            case "language", "lang": note.complete("language", value)
            case "date": note.complete("date", Dates.iso(value))
            case "tags", "keywords":
                let list = value.trimmed(of: ["[", "]"]).split(separator: ",")
                note.findings.set("keywords", list: list.map { String($0).cleaned().trimmed(of: ["\"", "'"]) })
            default: break
            }
        }
        lines = lines[(end + 1)...]
        while lines.first?.isEmpty == true { lines.removeFirst() }
    }
}

extension String {
    /// The text without these characters at its ends.
    package func trimmed(of marks: Set<Character>) -> String {
        var rest = self[...]
        while let first = rest.first, marks.contains(first) { rest = rest.dropFirst() }
        while let last = rest.last, marks.contains(last) { rest = rest.dropLast() }
        return String(rest)
    }
}
