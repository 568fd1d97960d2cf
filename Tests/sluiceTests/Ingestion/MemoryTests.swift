import Foundation
import SystemPackage
import Testing

/// Peak memory does not grow with the input. Figures are in MiB, as the kernel counts them.
@Suite struct MemoryTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test func aLargeFileNeedsNoMoreMemoryThanASmallOne() throws {
        let small = try peak(of: sparse("small", megabytes: 8))
        let large = try peak(of: sparse("large", megabytes: 768))
        #expect(large < 64)
        #expect(large - small < 8, "8 MiB took \(small), 768 MiB took \(large)")
    }

    @Test func manyFilesNeedLittleMoreMemoryThanFew() throws {
        let few = try peak(of: texts("few", count: 300))
        let many = try peak(of: texts("many", count: 1_500))
        #expect(many < 96)
        #expect(many - few < 24, "300 files took \(few), 1,500 took \(many)")
    }

    private func sparse(_ name: String, megabytes: Int) throws -> FilePath {
        let file = try folder.write(name, "")
        #expect(truncate(file.string, off_t(megabytes) << 20) == 0)
        return file
    }

    private func texts(_ name: String, count: Int) throws -> FilePath {
        for number in 0..<count { try folder.write("\(name)/\(number).txt", "note \(number)\n") }
        return folder[name]
    }

    /// See ``PeakMemory``.
    private func peak(of input: FilePath) throws -> Int {
        try PeakMemory.ofIngest(
            [input.string], into: folder["container-of-\(input.lastComponent?.string ?? "")"])
    }
}
