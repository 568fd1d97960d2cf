import Formats
import Foundation
import Testing

@testable import Files

@Suite("Property lists")
struct PropertyListTests {
    /// A value of each kind, written by Foundation's own, independent writer.
    static var sample: [String: Any] {
        [
            "URL": "https://example.org/?a=1&b=<2>", "wide": "Grüße 漢字 👋", "empty": "", "yes": true, "no": false,
            "small": 7, "large": Int64.max, "negative": -42, "real": 1.5, "data": Data([0, 1, 2, 250]),
            "date": Date(timeIntervalSinceReferenceDate: 600_000_000), "list": ["a", ["b": 1], []] as [Any],
            "long": String(repeating: "x", count: 300),
        ]
    }

    static func bytes(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat) throws -> [UInt8] {
        [UInt8](try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0))
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
    func readsEveryKindOfValue(_ format: PropertyListSerialization.PropertyListFormat) throws {
        let bytes = try Self.bytes(Self.sample, format)
        let list = try PropertyList.parse(bytes)
        #expect(PropertyList.looksLikeOne(bytes))
        #expect(list["URL"] == .string("https://example.org/?a=1&b=<2>"))
        #expect(list["wide"] == .string("Grüße 漢字 👋"))
        #expect(list["empty"] == .string(""))
        #expect(list["yes"] == .boolean(true))
        #expect(list["no"] == .boolean(false))
        #expect(list["small"] == .integer(7))
        #expect(list["large"] == .integer(Int128(Int64.max)))
        #expect(list["negative"] == .integer(-42))
        #expect(list["real"] == .real(1.5))
        #expect(list["data"] == .data([0, 1, 2, 250]))
        #expect(list["date"] == .date(600_000_000))
        #expect(list["list"] == .array([.string("a"), .dictionary([.init(key: "b", value: .integer(1))]), .array([])]))
        #expect(list["long"] == .string(String(repeating: "x", count: 300)))
        #expect(list["none"] == nil)
    }

    @Test func readsMarkup() throws {
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <!-- > --><plist version="1.0"><dict><key>a&#x42;</key><!-- c -->
            <string>&lt;&#65;&apos;<![CDATA[<&amp;]]>!<!-- x -->?</string><key>e</key><array/></dict></plist>
            """
        let list = try PropertyList.parse(Array(xml.utf8))
        #expect(
            list
                == .dictionary([
                    .init(key: "aB", value: .string("<A'<&amp;!?")), .init(key: "e", value: .array([])),
                ]))
        let wide: [UInt8] = xml.utf16.reduce(into: [0xFE, 0xFF]) { $0 += [UInt8($1 >> 8), UInt8($1 & 255)] }
        #expect(try PropertyList.parse(wide) == list)
        let little: [UInt8] = xml.utf16.reduce(into: [0xFF, 0xFE]) { $0 += [UInt8($1 & 255), UInt8($1 >> 8)] }
        #expect(try PropertyList.parse(little) == list)
    }

    @Test(arguments: [
        "<plist><dict><key>a</key></dict></plist>", "<plist><dict><string>a</string></dict></plist>", "<plist></plist>",
        "<plist><string>a</array></plist>", "<plist><string>&who;</string></plist>",
        "<plist><integer>1x</integer></plist>",
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist><string>&a;</string></plist>", "<plist><date>2001</date></plist>",
        "<plist><data>AAA</data><true/></plist>", "<plist><string>a", "<plist><true>x</true></plist>", "<plist", "",
        "<plist><data>A</data></plist>", "<plist><string>&#0;</string></plist>", "<plist><true/></plist>junk",
    ])
    func refusesMalformedMarkup(_ xml: String) {
        #expect(throws: PropertyList.Failure.self) { try PropertyList.parse(Array(xml.utf8)) }
    }

    /// A binary list of one-byte offsets and references, with a valid trailer.
    static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        let zeros = [UInt8](repeating: 0, count: 7)
        return bytes + offsets + zeros.dropLast() + [1, 1] + zeros + [UInt8(objects.count)] + zeros + [top] + zeros + [
            table
        ]
    }

    static func reason(_ bytes: [UInt8]) -> PropertyList.Failure.Reason? {
        do {
            _ = try PropertyList.parse(bytes)
            return nil
        } catch let failure as PropertyList.Failure {
            return failure.reason
        } catch {
            return nil
        }
    }

    @Test func cyclesAndBombsEnd() {
        #expect(Self.reason(Self.binary([[0xA1, 0]])) == .cyclic)
        #expect(Self.reason(Self.binary([[0xA1, 1], [0xA1, 0]])) == .cyclic)
        // Sixteen levels; each has two references to the next: 65,536 values from 17 objects.
        let bomb = (0..<16).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]]
        #expect(Self.reason(Self.binary(bomb)) == .tooMany)
        let deep = (0..<33).map { [0xA1, UInt8($0 + 1)] } + [[0x09]]
        #expect(Self.reason(Self.binary(deep)) == .tooDeep)
        #expect(
            Self.reason(Self.binary(Array(deep.dropFirst()).map { $0.count == 2 ? [0xA1, $0[1] - 1] : $0 })) == nil)
        let xml = String(repeating: "<array>", count: 33) + String(repeating: "</array>", count: 33)
        #expect(Self.reason(Array("<plist>\(xml)</plist>".utf8)) == .tooDeep)
        #expect(Self.reason([UInt8](repeating: 0x20, count: (1 << 20) + 1)) == .tooLarge)
    }

    @Test func bombsOfStringsEnd() throws {
        let text = [0x5F, 0x10, 100] + [UInt8](repeating: 0x78, count: 100)
        var limits = PropertyList.Limits()
        limits.expandedBytes = 500
        let fits = try PropertyList.parse(Self.binary([[0xA5, 1, 1, 1, 1, 1], text]), limits: limits)
        #expect(fits == .array([PropertyList](repeating: .string(String(repeating: "x", count: 100)), count: 5)))
        #expect(throws: PropertyList.Failure.self) {
            try PropertyList.parse(Self.binary([[0xA6, 1, 1, 1, 1, 1, 1], text]), limits: limits)
        }
    }

    @Test func refusesReferencesOutside() {
        #expect(Self.reason(Self.binary([[0xA1, 9]])) == .malformed)
        #expect(
            Self.reason(Self.binary([[0xA1, 1], [0x5F, 0x13, 255, 255, 255, 255, 255, 255, 255, 255]])) == .malformed)
        #expect(Self.reason(Self.binary([[0x5F, 0x10, 200]])) == .malformed)
        #expect(Self.reason(Self.binary([[0xD1, 1, 1], [0x09]])) == .malformed)
        #expect(Self.reason(Self.binary([[0x09]], top: 3)) == .malformed)
        let trailers = (1...32).map { place in
            var bytes = Self.binary([[0x09]])
            bytes[bytes.count - place] = 0xFF
            return bytes
        }
        // Only the seven unused and sort bytes at the front may have any value.
        #expect(trailers.filter { Self.reason($0) == nil }.count == 6)
    }

    @Test func survivesMutations() throws {
        var generator = SeededGenerator(seed: 1)
        let small: [String: Any] = [
            "URL": "https://example.org", "a": [1, 2.5, true, Date(timeIntervalSince1970: 0)] as [Any],
        ]
        let seeds = [
            try Self.bytes(small, .binary), try Self.bytes(small, .xml),
            Self.binary([[0xD1, 1, 2], [0x51, 97], [0x81, 1, 1]]),
        ]
        var failures = 0
        for round in 0..<20_000 {
            let bytes = generator.mutation(of: seeds[round % seeds.count])
            if Self.reason(bytes) != nil { failures += 1 }
            _ = try PropertyListOutline(ContentBytes(bytes))
        }
        // Some mutations change nothing important and are read. A reader that accepts every mutation would be wrong.
        #expect(failures > 5_000)
        #expect(failures < 20_000)
    }

    /// The objects are in the middle of a gibibyte, the table of their offsets at its end.
    @Test func outlinesAListWithinTheBudget() throws {
        let size: Int64 = 1 << 30
        let table = size - 32 - 16
        let number = { (value: Int64) in Array(ZipBuilder.little(UInt64(value), 8).reversed()) }
        var file = SparseFile(size: size)
        file[0] = Array("bplist00".utf8)
        file[size / 2] = [0xD1, 1, 1, 0x5F, 0x10, 15] + Array("WebMainResource".utf8)
        file[table] = number(size / 2) + number(size / 2 + 3)
        file[size - 32] = [0, 0, 0, 0, 0, 0, 8, 1] + number(2) + number(0) + number(table)
        try file.read { content in
            let outline = try PropertyListOutline(content)
            #expect(outline?.topKeys == ["WebMainResource"])
            #expect(!content.isSpent)
            #expect(content.usage.reads < 16)
            #expect(content.usage.bytes < 128 << 10)
        }
    }

    @Test func outlinesLargeLists() throws {
        let page: [String: Any] = [
            "WebMainResource": ["WebResourceData": Data(repeating: 7, count: 3 << 20)], "WebSubresources": [] as [Any],
        ]
        for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
            let outline = try PropertyListOutline(ContentBytes(try Self.bytes(page, format)))
            #expect(outline?.topKeys?.contains("WebMainResource") == true)
        }
        #expect(try PropertyListOutline(ContentBytes(Array("no list".utf8))) == nil)
    }
}
