import SinkHost
import Testing

/// The paths of products, as the system reads them: byte by byte.
@Suite struct ProductPathTests {
    @Test(arguments: ["a", "a/b", "..a", "a..", "a/...", "./a", "\u{301}/a"])
    func aPathBelowTheFolderIsTaken(_ path: String) { #expect(ProductPath.trouble(path) == nil) }

    /// A slash and a combining mark after it are one `Character`, and still a slash for the system.
    @Test(arguments: ["", "/", "/a", "..", "../a", "a/../../b", "a\0", "/\u{301}a", "../\u{301}a", "a/\u{301}/../../b"])
    func anotherPathIsNot(_ path: String) { #expect(ProductPath.trouble(path) != nil) }
}
