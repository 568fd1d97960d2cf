import Formats
import Testing

@Suite("Text and its encodings")
struct TextHeadTests {
    static func wide(_ text: String, bytes width: Int, big: Bool) -> [UInt8] {
        let units = width == 2 ? text.utf16.map { UInt32($0) } : text.unicodeScalars.map(\.value)
        return units.flatMap { unit in
            let little = (0..<width).map { UInt8(truncatingIfNeeded: unit >> UInt32(8 * $0)) }
            return big ? little.reversed() : little
        }
    }

    private static let greeting = "Grüße, 漢字 and 👋, said the longer sentence\n"

    @Test(arguments: [
        (Array("hello\r\n\u{C}\t\u{1B}[1m\u{7}\u{8}".utf8), TextHead.Encoding.ascii),
        (Array(greeting.utf8), .utf8), (Array("\u{FEFF}\(greeting)".utf8), .utf8), (Array("\u{FEFF}".utf8), .ascii),
        (wide("\u{FEFF}\(greeting)", bytes: 2, big: false), .utf16LittleEndian),
        (wide("\u{FEFF}\(greeting)", bytes: 2, big: true), .utf16BigEndian),
        (wide("\u{FEFF}\(greeting)", bytes: 4, big: false), .utf32LittleEndian),
        (wide("\u{FEFF}\(greeting)", bytes: 4, big: true), .utf32BigEndian),
        (wide("<?xml version=\"1.0\"?>", bytes: 2, big: false), .utf16LittleEndian),
        (wide("<?xml version=\"1.0\"?>", bytes: 2, big: true), .utf16BigEndian),
    ])
    func knowsUnicode(_ bytes: [UInt8], _ encoding: TextHead.Encoding) throws {
        let text = try #require(TextHead(bytes, isWhole: true))
        #expect(text.encoding == encoding)
        #expect(String(validating: text.bytes, as: UTF8.self)?.contains("\u{FEFF}") == false)
    }

    @Test(
        arguments: [
            // "Größe und Maß" in ISO 8859-1; a quotation in Windows-1252.
            [0x47, 0x72, 0xF6, 0xDF, 0x65, 0x20, 0x75, 0x6E, 0x64, 0x20, 0x4D, 0x61, 0xDF, 0x0A],
            [0x93, 0x61, 0x20, 0x77, 0x6F, 0x72, 0x64, 0x94, 0x0A],
            // "Съешь же ещё этих мягких" in KOI8-R.
            [
                0xF3, 0xDF, 0xC5, 0xDB, 0xD8, 0x20, 0xD6, 0xC5, 0x20, 0xC5, 0xDD, 0xA3, 0x20, 0xDC, 0xD4, 0xC9, 0xC8,
                0x20,
                0xCD, 0xD1, 0xC7, 0xCB, 0xC9, 0xC8, 0x20, 0xC6, 0xD2, 0xC1, 0xCE, 0xC3, 0xD5, 0xDA, 0xD3, 0xCB, 0xC9,
                0xC8,
            ],
            // "これは日本語の文章です" twice, in Shift-JIS, without a space.
            [
                0x82, 0xB1, 0x82, 0xEA, 0x82, 0xCD, 0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC, 0x95, 0xB6, 0x8F,
                0xCD,
                0x82, 0xC5, 0x82, 0xB7, 0x82, 0xB1, 0x82, 0xEA, 0x82, 0xCD, 0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82,
                0xCC,
            ],
        ] as [[UInt8]])
    func knowsOlderEncodings(_ bytes: [UInt8]) {
        #expect(TextHead(bytes, isWhole: true)?.encoding == .legacy)
    }

    /// One line of East Asian text without a space.
    @Test(
        arguments: [
            // "今天天气很好，我" and "中华人民共和国" in GBK, then two texts in Shift-JIS:
            // "春が来た。山に" and "本日は晴天なり".
            [0xBD, 0xF1, 0xCC, 0xEC, 0xCC, 0xEC, 0xC6, 0xF8, 0xBA, 0xDC, 0xBA, 0xC3, 0xA3, 0xAC, 0xCE, 0xD2],
            [0xD6, 0xD0, 0xBB, 0xAA, 0xC8, 0xCB, 0xC3, 0xF1, 0xB9, 0xB2, 0xBA, 0xCD, 0xB9, 0xFA],
            [0x8F, 0x74, 0x82, 0xAA, 0x97, 0x88, 0x82, 0xBD, 0x81, 0x42, 0x8E, 0x52, 0x82, 0xC9],
            [0x96, 0x7B, 0x93, 0xFA, 0x82, 0xCD, 0x90, 0xB0, 0x93, 0x56, 0x82, 0xC8, 0x82, 0xE8, 0x0A],
            // "오늘 날씨가 좋습" in EUC-KR.
            [0xBF, 0xC0, 0xB4, 0xC3, 0x20, 0xB3, 0xAF, 0xBE, 0xBE, 0xB0, 0xA1, 0x20, 0xC1, 0xC1, 0xBD, 0xC0],
        ] as [[UInt8]])
    func knowsALineOfPairs(_ bytes: [UInt8]) {
        #expect(TextHead(bytes, isWhole: true)?.encoding == .legacy)
    }

    /// Random bytes of that length are hardly ever text in pairs, and padding is none.
    @Test func takesNoNoiseForPairs() {
        var generator = SeededGenerator(seed: 64)
        var taken = 0
        for _ in 0..<200_000 {
            let bytes = generator.bytes(8 + Int(generator.next() % 24))
            let isMostlyASCII = bytes.count { $0 >= 0x80 } * 3 <= bytes.count
            if !isMostlyASCII, TextHead(bytes, isWhole: true)?.encoding == .legacy { taken += 1 }
        }
        #expect(taken <= 1)
        #expect(TextHead([UInt8](repeating: 0xC0, count: 24), isWhole: true) == nil)
    }

    @Test(
        arguments: [
            [0xFF, 0xD8, 0xFF, 0xE0], [0x2E, 0x72, 0x61, 0xFD], [0x61, 0x00, 0x62], [0x00], [0x1A], [0x61, 0x7F],
            [0xFF, 0xFE], [0xFF, 0xFE, 0x41, 0x00, 0x01, 0x00], [0xFE, 0xFF, 0xD8, 0x00, 0x00, 0x41],
            [0xFF, 0xFE, 0xFF, 0xFF, 0x41, 0x00], [0x41, 0x00, 0x42, 0x00, 0x43, 0x00],
            [UInt8](repeating: 0xFF, count: 400), [UInt8](repeating: 0xAA, count: 400),
            [UInt8](repeating: 0x80, count: 400),
            // Three pairs of GBK, again and again.
            Array(repeatElement([0xBD, 0xF1, 0xCC, 0xEC, 0xC6, 0xF8], count: 4).joined()),
        ] as [[UInt8]])
    func leavesTheRest(_ bytes: [UInt8]) {
        #expect(TextHead(bytes, isWhole: true) == nil)
    }

    @Test func endsAtTheEndOfFileCharacterOfDOS() {
        #expect(TextHead(Array("hello\r\n\u{1A}\u{1A}".utf8), isWhole: true)?.bytes == Array("hello\r\n".utf8))
        #expect(TextHead(Array("hello\u{1A}\u{1}".utf8), isWhole: true) == nil)
        #expect(TextHead(Array("hello\u{1A}".utf8), isWhole: false) == nil)
    }

    @Test func toleratesAnInvalidByteInALongText() {
        let text = String(repeating: "a few words\n", count: 100)
        #expect(TextHead(Array("\(text)\u{2}\(text)".utf8), isWhole: true)?.encoding == .utf8)
        #expect(TextHead(Array("\(text)\u{2}\u{2}\u{3}\(text)".utf8), isWhole: true) == nil)
        #expect(TextHead(Array("\(text)\u{0}\(text)".utf8), isWhole: true) == nil)
    }

    @Test func acceptsATruncatedCharacter() {
        for text in ["aé", "a漢", "a👋"] {
            for count in 2...text.utf8.count {
                #expect(TextHead(Array(text.utf8.prefix(count)), isWhole: false)?.encoding == .utf8)
            }
        }
        #expect(TextHead([0x61, 0x20, 0xE6, 0xBC], isWhole: true)?.encoding != .utf8)
        #expect(TextHead([0xFE, 0xFF, 0, 0x61, 0xD8, 0x3D], isWhole: false)?.bytes == [0x61])
        #expect(TextHead([0xFE, 0xFF, 0, 0x61, 0xD8, 0x3D], isWhole: true) == nil)
    }

    /// Accepts as UTF-8 exactly the bytes that the standard library accepts.
    @Test func agreesWithTheLibraryOnUTF8() {
        var generator = SeededGenerator(seed: 11)
        let seed = Array("The quick brown fox, Grüße, 漢字漢字 and 👋👋, said \u{7FF}\u{800}\u{FFFF}\u{10000}".utf8)
        var agreed = 0
        for _ in 0..<4_000 {
            let bytes = generator.mutation(of: seed)
            guard let text = TextHead(bytes, isWhole: true), text.encoding != .legacy else { continue }
            #expect(String(validating: bytes, as: UTF8.self) != nil)
            agreed += 1
        }
        #expect(agreed > 500)
    }
}
