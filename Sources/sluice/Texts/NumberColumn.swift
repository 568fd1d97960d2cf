/// The column before a list of packages on a terminal: a number, by which the next command can name a package.
enum NumberColumn {
    /// In columns, with the spaces behind the number.
    static let width = 5

    /// The lines with the number before the first one.
    static func before(_ lines: [StyledLine], _ number: Int?) -> [StyledLine] {
        let digits = number.map { String($0) } ?? ""
        let first: StyledLine = "\(String(repeating: " ", count: max(0, width - 2 - digits.count)))\(digits, .dim)  "
        let other = StyledLine(stringLiteral: String(repeating: " ", count: width))
        return lines.enumerated().map { $0 == 0 ? first + $1 : other + $1 }
    }
}
