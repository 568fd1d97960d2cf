import Foundation
import Testing

/// Rules of the house that hold in every file of the product.
@Suite struct HouseRulesTests {
    static let files = ["Sources", "Plugins"].flatMap { PackageDump.swiftFiles(below: $0) }

    /// A hostile byte must never meet an operation that ends the process.
    @Test func nothingIsForced() throws {
        #expect(!Self.files.isEmpty)
        for file in Self.files {
            for (index, line) in try Self.lines(of: file).enumerated() {
                let code = Self.code(of: line)
                for word in ["try!", "as!"] {
                    #expect(!code.contains(word), "\(file.lastPathComponent):\(index + 1) has \(word)")
                }
            }
        }
    }

    /// The line without its comment.
    private static func code(of line: Substring) -> Substring {
        line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
    }

    private static func lines(of file: URL) throws -> [Substring] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
