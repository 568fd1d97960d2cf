internal import Formats

/// Checks the text after the first words of a format whose first words are not specific enough.
enum TextGrammar {
    /// Comments before the first command, which is the class of the document.
    static let isLaTeX: TextSignature.Check = { place in
        let line = place.lines.first { line in
            line.contains { $0 > 0x20 } && line.trimmed.first != UInt8(ascii: "%")
        }
        guard let line = line?.trimmed else { return false }
        return line.begins(with: "\\documentclass") || line.begins(with: "\\documentstyle")
            || line.begins(with: "\\NeedsTeXFormat") || line.begins(with: "\\input texinfo")
    }

    /// Comments before the title of a manual page: `.TH` of man, `.Dd` of mdoc.
    static let isManual: TextSignature.Check = { place in
        place.contains("\n.TH ") || place.contains("\n.Dd ") || place.contains("\n.SH ")
    }

    static let isBibliography: TextSignature.Check = { place in
        guard let (kind, rest) = place.rest.dropFirst().prefix(32).split(at: UInt8(ascii: "{")) else { return false }
        let kinds: [StaticString] = [
            "article", "book", "booklet", "conference", "inbook", "incollection", "inproceedings", "manual",
            "mastersthesis", "misc", "phdthesis", "proceedings", "techreport", "unpublished", "string", "comment",
            "preamble", "online", "thesis", "report", "collection",
        ]
        return kinds.contains { kind.trimmed.isWord($0) } && !rest.isEmpty
    }

    /// Only mappings, sequences and comments: YAML 1.2.2, sections 8.2 and 9.1. Markdown with front matter starts in
    /// the same way.
    static let isYAML: TextSignature.Check = { place in
        guard TextSignature.isWord(3)(place) else { return false }
        var keys = 0
        // The text after front matter can look like a document of comments.
        var isEmptyDocument = false
        for line in place.lines.dropFirst() {
            let text = line.trimmed
            guard let first = text.first, first != UInt8(ascii: "#"), line.first != 0x20 else { continue }
            if text.begins(with: "---") || text.isWord("...") {
                guard text.count == 3 else { return false }
                isEmptyDocument = first == UInt8(ascii: "-")
                continue
            } else if first == UInt8(ascii: "-") {
                guard text.begins(with: "- ") || text.isWord("-") else { return false }
            } else {
                guard let (key, value) = text.split(at: UInt8(ascii: ":")), isKey(key),
                    value.isEmpty || value.first == 0x20
                else { return false }
                keys += 1
            }
            isEmptyDocument = false
        }
        return keys >= 2 && !isEmptyDocument
    }

    private static func isKey(_ key: ArraySlice<UInt8>) -> Bool {
        !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isDigit || "_-./\"'".utf8.contains($0) }
    }

    /// A label in capitals and dashes. The next line is base64, or the header of an encrypted key (RFC 1421, 4.6.1.1).
    static let isPEM: TextSignature.Check = { place in
        var lines = place.lines
        guard let label = lines.next()?.trimmed, label.suffix(5).begins(with: "-----"),
            label.dropFirst(11).dropLast(5).allSatisfy({ !$0.isLetter || $0 < 0x60 }),
            let line = lines.nextFilled()?.trimmed
        else { return false }
        return line.begins(with: "Proc-Type:") || line.isBase64
    }

    /// `{frame}{frame}` and a text.
    static let isMicroDVD: TextSignature.Check = { place in
        let parts = place.rest.prefix(64).dropFirst().split(separator: UInt8(ascii: "{"), maxSplits: 1)
        guard parts.count == 2, parts[0].last == UInt8(ascii: "}"), parts[0].dropLast().number != nil else {
            return false
        }
        return parts[1].split(at: UInt8(ascii: "}")).map { $0.before.isEmpty || $0.before.number != nil } ?? false
    }

    /// `---`, `+++` and `@@` at the beginning of three consecutive lines.
    static let isUnified: TextSignature.Check = { place in
        var lines = place.lines
        _ = lines.next()
        return lines.next()?.begins(with: "+++ ") == true && lines.next()?.begins(with: "@@ -") == true
    }

    /// `***` and `---` at the beginning of two consecutive lines, then a line of asterisks.
    static let isContext: TextSignature.Check = { place in
        var lines = place.lines
        _ = lines.next()
        return lines.next()?.begins(with: "--- ") == true && lines.next()?.begins(with: "***************") == true
    }

    /// Comments before the first message.
    static let isTranslation: TextSignature.Check = { place in
        let line = place.lines.first { $0.contains { $0 > 0x20 } && $0.first != UInt8(ascii: "#") }
        guard let line, line.begins(with: "msgid \"") || line.begins(with: "msgctxt \"") else { return false }
        return place.contains("\nmsgstr") || place.contains("\rmsgstr")
    }

    /// A path, a line of `=`, and a line that Subversion or CVS writes next.
    static let isIndexed: TextSignature.Check = { place in
        var lines = place.lines
        _ = lines.next()
        guard lines.next()?.begins(with: "====") == true, let next = lines.nextFilled() else { return false }
        return ["--- ", "*** ", "diff ", "RCS file: ", "Cannot display: ", "Property changes"].contains {
            next.begins(with: $0)
        }
    }

    /// A second record of a known kind.
    static let isSYLK: TextSignature.Check = { place in
        var lines = place.lines
        _ = lines.next()
        guard let line = lines.nextFilled()?.trimmed else { return false }
        return ["P;", "B;", "C;", "F;", "O;", "W;", "NN;", "NU;", "NL;", "NE;"].contains { line.begins(with: $0) }
            || line.isWord("e")
    }

    /// Entries, or their number.
    static let isPlaylist: TextSignature.Check = { place in
        place.lines.contains { line in
            line.begins(withAnyCase: "numberofentries")
                || line.begins(withAnyCase: "file") && line.dropFirst(4).first?.isDigit == true
        }
    }

    /// A mode and a name, then a line whose first character states its length.
    static let isUuencoded: TextSignature.Check = { place in
        var lines = place.lines
        guard let head = lines.next()?.split(separator: 0x20, maxSplits: 2), head.count == 3,
            (3...4).contains(head[1].count), head[1].allSatisfy({ $0 >= 0x30 && $0 <= 0x37 }),
            let line = lines.next(), let first = line.first, (0x20...0x60).contains(first)
        else { return false }
        let count = (Int(first) - 0x20) & 0x3F
        return line.count > (count + 2) / 3 * 4 - 4 && line.count <= (count + 2) / 3 * 4 + 2
    }

    /// Group codes and values on alternating lines, comments (999) first; then a section starts.
    static let isDXF: TextSignature.Check = { place in
        var lines = place.lines
        while let code = lines.next()?.trimmed, let value = lines.next()?.trimmed {
            if code.isWord("999") { continue }
            return code.isWord("0") && value.isWord("section") && lines.next()?.trimmed.isWord("2") == true
        }
        return false
    }

    /// C definitions of width, height and bits, perhaps after a comment.
    static let isXBM: TextSignature.Check = { place in
        var found = 0
        for line in place.lines.prefix(64) {
            guard line.begins(with: "#define ") else {
                if found >= 2 { return place.contains("_bits[") }
                continue
            }
            let words = line.split(separator: 0x20)
            let isSize =
                words.count == 3 && (words[1].suffix(6).isWord("_width") || words[1].suffix(7).isWord("_height"))
            if isSize, words[2].trimmed.number != nil { found += 1 }
        }
        return false
    }
}
