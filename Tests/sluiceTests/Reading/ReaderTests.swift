import ShareModel
import SystemPackage
import Testing

@testable import Reading

/// The promises of the list of readers.
@Suite struct ReaderTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    /// Takes files whose name ends in `ending`. Each has the given packages.
    private struct ManyReader: Reader {
        let name: String
        let kind = PackageSource.Kind.container
        var packages: [String] = []

        func read(_ input: NamedInput, _ context: ReadingContext) throws(ReadingError) -> ReaderResult? {
            guard input.name?.extension == name else { return nil }
            guard !packages.isEmpty else { throw ReadingError(.malformed, "\(input.named) is empty") }
            let inputs = packages.map { id in
                ReadInput.package(SharePackage(id: id, source: input.source(.container), items: []))
            }
            return .inputs(List(inputs: inputs[...]))
        }

        private struct List: InputSequence {
            var inputs: ArraySlice<ReadInput>
            mutating func next() -> ReadInput? { inputs.popFirst() }
        }
    }

    private func read(_ readers: [any Reader]) -> [String] {
        var reader = PackageReader(paths: [folder.path], readers: Readers(readers))
        var told: [String] = []
        while let input = reader.next() {
            switch input {
            case .package(let package, _): told.append(package.id ?? package.source.kind.rawValue)
            case .failed(let source, let error): told.append("\(source.kind) \(error.code)")
            case .skipped(_, let why): told.append(why)
            case .unusable, .recorded: told.append("of no reader")
            }
        }
        return told
    }

    @Test func theFirstThatKnowsAnInputDecides() throws {
        for name in ["a.box", "b.txt", "c.none"] { try folder.write(name, "content") }
        let box = ManyReader(name: "box", packages: ["1", "2"])
        #expect(read([box, FileReader()]) == ["1", "2", "file", "file"])
        #expect(read([FileReader(), box]) == ["file", "file", "file"])
        #expect(read([ManyReader(name: "box"), FileReader()]) == ["container malformed", "file", "file"])
        #expect(read([box]) == ["1", "2", "no reader takes such a file", "no reader takes such a file"])
    }

    /// A walk does not bring a forgotten package back, also one of several in a file. A person who names the file does.
    @Test(arguments: [false, true]) func thePackagesOfAFileAreFoundAsItIs(_ isNamed: Bool) throws {
        let file = try folder.write("in/a.box", "content")
        let box = ManyReader(name: "box", packages: ["1", "2"])
        var reader = PackageReader(paths: [isNamed ? file : folder.path], readers: Readers([box]))
        for id in ["1", "2"] {
            guard case .package(let package, _)? = reader.next() else {
                Issue.record("no package")
                return
            }
            #expect(package.id == id && package.source.isFound == !isNamed)
        }
        if reader.next() != nil { Issue.record("another input") }
    }

    @Test func twoOfOneNameEndTheProcess() async {
        await #expect(processExitsWith: .failure) { _ = Readers([FileReader(), FileReader()]) }
    }

    @Test func theStandardListEndsWithFiles() throws {
        try folder.write("a.share/share.json", #"{"version": 1, "items": []}"#)
        try folder.write("b.pages/index.xml", "")
        try folder.write("c/d", "")
        var reader = PackageReader(paths: [folder.path])
        var kinds: [PackageSource.Kind] = []
        while case .package(let package, parts: nil)? = reader.next() { kinds.append(package.source.kind) }
        #expect(kinds == [.share, .bundle, .file])
    }
}

/// The parts of a container, and the limits that it shares with the containers inside of it.
@Suite struct PartOpenerTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private typealias Listed = (package: SharePackage, parts: any PartSource)

    private func list(_ bytes: [UInt8], _ readers: [any Reader], _ limits: ReadingLimits = ReadingLimits()) throws
        -> Listed
    {
        let path = try folder.write("container", bytes)
        var reader = PackageReader(paths: [path], readers: Readers(readers), limits: limits)
        switch reader.next() {
        case .package(let package, let parts?): return (package, parts)
        case .failed(_, let error): throw error
        default: throw ReadingError(.malformed, "no container")
        }
    }

    private static func references(_ package: SharePackage) -> [PartReference] {
        package.items.flatMap(\.attachments).flatMap(\.representations).compactMap {
            if case .part(let part) = $0.content { part } else { nil }
        }
    }

    private static func text(_ part: borrowing OpenedPart) throws -> String {
        var bytes = [UInt8](repeating: 0, count: 100)
        var text = ""
        while case let count = try bytes.withUnsafeMutableBytes({ try part.read(into: $0) }), count > 0 {
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
        return text
    }

    private static func code(_ body: () throws -> Void) -> ReadingError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? ReadingError)?.code
        }
    }

    @Test func eachPartIsReadOnce() throws {
        let reader = MadeReader()
        let listed = try list(Array("made\na 1\nb 2\nc 3\n".utf8), [reader])
        let parts = Self.references(listed.package)
        let opener = SourceOpener(folder: nil, parts: listed.parts)
        // Reading the second part before the first needs another pass.
        #expect(try Self.text(opener.open(parts[1])) == "xx")
        #expect(try Self.text(opener.open(parts[0])) == "x")
        #expect(try Self.text(opener.open(parts[2])) == "xxx")
        #expect(reader.log.now.passes == 3)
        for part in parts { #expect(Self.code { _ = try opener.open(part) } == .refused) }
    }

    @Test func aPartEndsWhenAnotherIsOpened() throws {
        let listed = try list(Array("made\na 1\nb 2\n".utf8), [MadeReader()])
        let parts = Self.references(listed.package)
        let opener = SourceOpener(folder: nil, parts: listed.parts)
        let first = try opener.open(parts[0])
        let second = try opener.open(parts[1])
        #expect(Self.code { _ = try Self.text(first) } == .refused)
        #expect(try Self.text(second) == "xx")
    }

    @Test func aPartWithoutAContainerIsRefused() throws {
        let opener = SourceOpener(folder: folder.path)
        #expect(Self.code { _ = try opener.open(PartReference(index: 0, path: "a")) } == .refused)
    }

    @Test func passesAreLimited() throws {
        var limits = ReadingLimits()
        limits.containerPasses = 2
        let listed = try list(Array("made\na 1\nb 1\nc 1\n".utf8), [MadeReader()], limits)
        let parts = Self.references(listed.package)
        let opener = SourceOpener(folder: nil, parts: listed.parts, limits: limits)
        #expect(try Self.text(opener.open(parts[2])) == "x")
        #expect(try Self.text(opener.open(parts[1])) == "x")
        #expect(Self.code { _ = try opener.open(parts[0]) } == .limit)
    }

    /// `a.tar` with `levels - 1` nested archives. Each archive also has a text of 100 bytes.
    private func nested(levels: Int) -> [UInt8] {
        let text = [UInt8](repeating: 65, count: 100)
        var bytes = tar(["text": text])
        for _ in 1..<levels { bytes = tar(["text": text, "in.tar": bytes]) }
        return bytes
    }

    @Test func depthIsLimited() throws {
        var limits = ReadingLimits()
        limits.containerDepth = 2
        let package = try list(nested(levels: 3), [TarReader()], limits).package
        #expect(Self.references(package).map(\.path) == ["text", "in.tar/text", "in.tar/in.tar"])
        limits.containerDepth = 3
        let whole = try list(nested(levels: 3), [TarReader()], limits).package
        #expect(Self.references(whole).map(\.path) == ["text", "in.tar/text", "in.tar/in.tar/text"])
    }

    /// Three nested archives have five parts: three texts and two archives.
    @Test func partsAreCountedOverAllLevels() throws {
        var limits = ReadingLimits()
        limits.containerParts = 5
        #expect(try Self.references(list(nested(levels: 3), [TarReader()], limits).package).count == 3)
        limits.containerParts = 4
        #expect(Self.code { _ = try list(nested(levels: 3), [TarReader()], limits) } == .limit)
    }

    @Test func bytesAreCountedOverAllLevels() throws {
        let inner = nested(levels: 1).count
        var limits = ReadingLimits()
        limits.containerBytes = Int64(inner + 200)
        #expect(try Self.references(list(nested(levels: 2), [TarReader()], limits).package).count == 2)
        limits.containerBytes -= 1
        #expect(Self.code { _ = try list(nested(levels: 2), [TarReader()], limits) } == .limit)
    }

    /// A declared size counts before the part is read, and an undeclared size counts during the reading.
    @Test(arguments: ["made\nbomb 9000000000000\n", "made\nbomb 3000000 ?\n", "made\na 900000\nb 900000 ?\n"])
    func aBombEnds(_ text: String) throws {
        var limits = ReadingLimits()
        limits.containerBytes = 1 << 20
        let reader = MadeReader()
        #expect(Self.code { _ = try list(Array(text.utf8), [reader], limits) } == .limit)
        #expect(reader.log.now.bytes < 2 << 20)
    }
}
