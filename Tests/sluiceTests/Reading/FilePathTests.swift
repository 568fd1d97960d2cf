import Foundation
import Reading
import ShareModel
import SystemPackage
import Testing

@testable import Files

/// The extensions of `FilePath` and `FilePath.Component`.
@Suite struct FilePathTests {
    @Test(arguments: [
        ("/a/b/c", "/a", "b/c"), ("/a/b", "/a/b", ""), ("/a", "/", "a"), ("/", "/", ""), ("a/b", "a", "b"),
        ("/a/.b/..c", "/a", ".b/..c"),
    ])
    func aPathBelowAnotherHasAWay(_ path: FilePath, _ base: FilePath, _ way: FilePath) throws {
        #expect(path.way(from: base) == Array(way.components))
    }

    @Test(
        arguments: [("/ab", "/a"), ("/a", "/a/b"), ("a/b", "/a"), ("/b", "/a"), ("a", ""), ("/a", "")]
            as [(FilePath, FilePath)])
    func anotherPathHasNone(_ path: FilePath, _ base: FilePath) { #expect(path.way(from: base) == nil) }

    /// Bytes that are no UTF-8, and a mark that combines with the slash before it.
    @Test func namesAreBytes() {
        let odd = FilePath(bytes: Array("/a/".utf8) + [0xFF, 0xFE])
        #expect(odd.way(from: "/a")?.map(\.bytes) == [[0xFF, 0xFE]])
        #expect(FilePath("/a/\u{301}b").way(from: "/a") == ["\u{301}b"])
        #expect(FilePath("/a\u{301}").way(from: "/a") == nil)
    }

    @Test(arguments: [
        "", "/", "//", "a", "a/", "a//", "a///b//", "//a", "http://a/", "a/\u{301}//\u{301}b/", "a/../b/.", "ü?a/b/#/",
    ])
    func aPathKeepsAWebAddress(_ address: String) {
        #expect(Array(FilePath(webAddress: address).webAddress.utf8) == Array(address.utf8))
        let source = Receipt.Source(kind: .link, path: FilePath(webAddress: address))
        #expect(source.path == address && source.filePath == FilePath(webAddress: address))
    }

    @Test(arguments: [
        ("/a/b", "/a/b"), ("/a/./b", "/a/b"), ("/a/b/.", "/a/b"), ("/no such folder/../b", "/b"), ("/..", "/"),
        ("/.a/b..", "/.a/b.."), ("/", "/"),
    ])
    func anAbsolutePathHasNoDots(_ path: FilePath, _ expected: FilePath) { #expect(path.absolute == expected) }

    @Test func aRelativePathStartsAtTheWorkingFolder() {
        let here = FilePath(FileManager.default.currentDirectoryPath)
        #expect(FilePath("a/./b").absolute == here.appending("a/b"))
        #expect(FilePath("").absolute == here)
    }

    @Test func aListingHasTheNamesWithTheSuffixInOrder() throws {
        let folder = try TestFolder()
        for name in ["b.x", "a.x", "a.y", "x", ".x"] { try folder.write(name, "") }
        let names = { (suffix: String) in
            try Directory(folder.path).names(suffix: suffix).map(\.string)
        }
        #expect(try names(".x") == [".x", "a.x", "b.x"])
        #expect(try names("") == [".x", "a.x", "a.y", "b.x", "x"])
    }

    /// Some file systems have names that are longer than the field of the system's structure.
    @Test func theNameOfAnEntryMayBeLongerThanItsField() {
        let name = [UInt8](repeating: UInt8(ascii: "n"), count: 765)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<dirent>.size + name.count, alignment: MemoryLayout<dirent>.alignment)
        defer { memory.deallocate() }
        let entry = memory.initializeMemory(as: dirent.self, to: dirent())
        withUnsafeMutablePointer(to: &entry.pointee.d_name) { field in
            UnsafeMutableRawPointer(field).copyMemory(from: name + [0], byteCount: name.count + 1)
        }
        #expect(entry.name == name)
    }

    /// Names are shown in lists, lines and file names.
    @Test(arguments: [
        ("https://ada:secret@example.org/lakes", "ada@example.org/lakes"),
        ("http://ada:se:cr@et@example.org", "http://ada@example.org"),
        ("HTTP://ada:secret@example.org:8080/?a=b:c@d", "HTTP://ada@example.org:8080/?a=b:c@d"),
        ("https://ada@example.org/", "ada@example.org/"), ("https://example.org/a:b@c", "example.org/a:b@c"),
        ("https://example.org?a:b@c", "example.org?a:b@c"), ("https://:@", "@"), ("https://", "link"),
    ])
    func aLinkIsNamedWithoutItsPassword(_ address: String, _ name: String) {
        let package = SharePackage.link(address)
        #expect(Receipt.Source(kind: .link, path: package.source.path).path == name)
        #expect(package.items[0].attachments[0].representations[0].content == .link(address))
    }
}
