import Formats
import Foundation
import ShareModel
import Sniffing
import SystemPackage
import Testing

/// Every file in Samples/types has the type in its `.expected`. To add a case, add a file.
@Suite struct TypeSampleTests {
    /// The first line is the type; each further line is a warning. The test writes a missing `.expected`; with
    /// `SLUICE_RECORD=1` it also writes those that differ. It fails in both cases, so that a person reads the file.
    @Test(arguments: TypeSample.all) func theBytesDecide(of sample: TypeSample) throws {
        let found = try sample.answer(TypeClaims())
        let text = ([found.type.description] + found.warnings.map { "! \($0)" }).joined(separator: "\n") + "\n"
        let expected = try? String(contentsOf: sample.expectation, encoding: .utf8)
        if expected == nil || (expected != text && SampleShare.isRecording) {
            try text.write(to: sample.expectation, atomically: true, encoding: .utf8)
            Issue.record("\(sample) was recorded; look at its .expected, and run again")
        } else {
            #expect(text == expected, "\(found.basis)")
        }
    }

    /// A false name, a false declared type, or both, do not change the type.
    @Test(arguments: TypeSample.all) func liesChangeNothing(of sample: TypeSample) throws {
        let type = try sample.answer(TypeClaims()).type
        for (name, declared) in [("a.jpg", "public.jpeg"), ("a.pdf", "com.adobe.pdf"), ("a.mp3", "public.mp3")] {
            guard ContentClass(of: type) != ContentClass(of: try #require(DeclaredType(declared).mediaType)) else {
                continue
            }
            for claims in [
                TypeClaims(name: name), TypeClaims(declared: declared), TypeClaims(declared: declared, name: name),
            ] {
                let found = try sample.answer(claims)
                #expect(found.type == type, "\(claims)")
                #expect(!found.warnings.isEmpty, "\(claims)")
            }
        }
    }

    /// Every sample is cut off at many places.
    @Test func cutsDoNoHarm() throws {
        let sniffer = try MagicSniffer()
        let folder = FilePath(SampleShare.folder.deletingLastPathComponent().path)
        let files = Disk.files(below: folder)
        #expect(files.count > TypeSample.all.count)
        for file in files {
            let bytes = Array(try Disk.bytes(folder.appending(file)))
            var count = 1
            while count < bytes.count * 2 {
                let found = try sniffer.identify(ContentBytes(Array(bytes.prefix(count))), claims: TypeClaims())
                #expect(!found.evidence.isEmpty, "\(file), \(count) bytes of it")
                count *= 2
            }
        }
    }
}

/// A file in Samples/types.
struct TypeSample: CustomTestStringConvertible, CustomStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]

    private static let folder = SampleShare.folder.deletingLastPathComponent().appending(path: "types")

    static let all: [TypeSample] = Disk.names(in: FilePath(folder.path)).filter { !$0.hasSuffix(".expected") }
        .compactMap { name in
            let bytes = try? Disk.bytes(FilePath(folder.appending(path: name).path))
            return bytes.map { TypeSample(name: name, bytes: Array($0)) }
        }

    var description: String { name }
    var testDescription: String { name }
    var expectation: URL { Self.folder.appending(path: name + ".expected") }

    func answer(_ claims: TypeClaims) throws -> Identification {
        try MagicSniffer().identify(ContentBytes(bytes), claims: claims)
    }
}
