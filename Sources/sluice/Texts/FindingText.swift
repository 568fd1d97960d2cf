import ShareModel

/// A fault that verification found, with the packages that it affects and the remedy:
///
///     damaged     objects/ab/ab…: its bytes do not have the digest that its name states
///                 in invoice.pdf (4f3a12b0c9d1)
///                 → run `sluice verify --repair`
struct FindingText {
    let finding: CareFinding

    var lines: [StyledLine] {
        let word: StyledLine = "\(finding.kind.word, finding.isMended ? .good : .bad)"
        let place: StyledLine = finding.path.map { "\($0): " } ?? ""
        var lines: [StyledLine] = ["\(word.padded(to: Self.columns))  \(place)\(finding.what)"]
        let indent = StyledLine(stringLiteral: String(repeating: " ", count: Self.columns + 2))
        if let holders { lines.append(indent + holders) }
        lines.append("\(indent)\(finding.isMended ? "✓" : "→", finding.isMended ? .good : .plain) \(finding.remedy)")
        return lines
    }

    private static let columns = 10

    private var holders: StyledLine? {
        guard let first = finding.packages.first else { return nil }
        var line = finding.packages.dropFirst().reduce("in " + Self.name(first)) { "\($0), \(Self.name($1))" }
        if finding.morePackages > 0 { line += " and \(Units.count(finding.morePackages, "package")) more" }
        return line
    }

    private static func name(_ package: PackageName) -> StyledLine {
        "\(name: package.name, .strong) (\(ShortID.of(package.id)))"
    }
}

extension CareFinding.Kind {
    /// The kind as a word of the output.
    fileprivate var word: String { self == .notAFile ? "no file" : rawValue }
}
