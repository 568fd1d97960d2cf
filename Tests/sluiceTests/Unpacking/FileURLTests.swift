import SystemPackage
import Testing

@testable import Unpacking

@Suite struct FileURLTests {
    @Test(arguments: [
        ("file:///a/b.txt", "/a/b.txt"), ("file://localhost/a", "/a"), ("FILE:///a", "/a"), ("file:/a", "/a"),
        ("file:a/b", "a/b"), ("file:///a%20b", "/a b"), ("file:///%C3%A9", "/é"), ("file:///a?query#part", "/a"),
        ("file:///a%3Fb%23c", "/a?b#c"), ("file:///%2e%2e/a", "/../a"), ("file:///é", "/é"),
    ])
    func namesAPath(_ url: String, _ path: String) throws { #expect(try FileURL.path(url) == FilePath(path)) }

    @Test func namesBytesThatAreNoText() throws {
        let path = try #require(try FileURL.path("file:///a%FFb"))
        #expect(path.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: 4)) } == [0x2F, 0x61, -1, 0x62])
    }

    @Test(arguments: [
        ("file://server/share/a", UnpackingError.Code.refused), ("file:///a%2Fb", .refused), ("file:///a%00", .refused),
        ("file:///a\u{0}b", .refused), ("file:///a%", .malformed), ("file:///a%4", .malformed),
        ("file:///a%zz", .malformed), ("file:///a%+1", .malformed), ("file://localhost", .malformed),
        ("file:?", .malformed),
    ])
    func isRefused(_ url: String, _ code: UnpackingError.Code) {
        #expect {
            _ = try FileURL.path(url)
        } throws: {
            ($0 as? UnpackingError)?.code == code
        }
    }

    @Test(arguments: ["", "file", "file:", "/a", "https://a", "xfile:///a"])
    func isNone(_ text: String) throws { #expect(try FileURL.path(text) == nil) }
}
