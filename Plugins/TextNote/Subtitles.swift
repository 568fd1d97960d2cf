import SinkTools

/// The spoken text of subtitles: SubRip, WebVTT, SubStation Alpha, MicroDVD and SubViewer.
enum Subtitles {
    /// The longest line that is searched for a time, in bytes.
    private static let longestTime = 400
    /// The most lines that are read.
    static let maximumLines = 500_000

    /// The text without numbers, times, styles and tags.
    static func text(of content: String) -> ProductText {
        var text = ProductText()
        var (isSkipping, afterEmpty) = (false, true)
        var lines = content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(maximumLines)
        if lines.first?.hasPrefix("WEBVTT") == true { isSkipping = true }
        let isScript = content.prefix(2000).contains("[Script Info]")
        while let line = lines.popFirst() {
            let line = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            defer { afterEmpty = line.isEmpty }
            if line.isEmpty {
                isSkipping = false
            } else if isScript {
                if line.hasPrefix("Dialogue:") {
                    let fields = line.split(separator: ",", maxSplits: 9, omittingEmptySubsequences: false)
                    if fields.count == 10 { append(fields[9], to: &text) }
                } else if line.hasPrefix("Title:") {
                    append(line.dropFirst(6), to: &text)
                }
            } else if isSkipping || isTime(line) || (afterEmpty && isName(line, before: lines.first)) {
                continue
            } else if isBlock(line) {
                isSkipping = true
            } else {
                append(line, to: &text)
            }
        }
        return text
    }

    /// A style, a region or a note of WebVTT, which lasts to the next empty line.
    private static func isBlock(_ line: Substring) -> Bool {
        ["NOTE", "STYLE", "REGION"].contains { line == $0 || line.hasPrefix($0 + " ") && $0 == "NOTE" }
    }

    private static func isTime(_ line: Substring) -> Bool {
        guard line.utf8.count < longestTime, line.first?.isNumber == true else { return false }
        if line.contains("-->") { return true }
        // SubViewer: 00:00:01.00,00:00:03.00
        return line.utf8.allSatisfy { (0x30...0x39).contains($0) || [0x2C, 0x2E, 0x3A, 0x20].contains($0) }
            && line.contains(":") && line.contains(",")
    }

    /// The number or name of a subtitle: the line after it is a time.
    private static func isName(_ line: Substring, before next: Substring?) -> Bool {
        guard let next else { return false }
        return isTime(next.drop { $0.isWhitespace })
    }

    private static func append(_ line: Substring, to text: inout ProductText) {
        var kept = ""
        var closing: Character?
        for character in line {
            if let end = closing {
                if character == end { closing = nil }
            } else if character == "<" {
                closing = ">"
            } else if character == "{" {
                closing = "}"
            } else {
                kept.append(character == "|" ? " " : character)
            }
        }
        // A bracket that nothing closes belongs to the text.
        text.append(lines: (closing == nil ? kept : String(line)).replacing("\\N", with: " "))
        text.endLine()
    }
}
