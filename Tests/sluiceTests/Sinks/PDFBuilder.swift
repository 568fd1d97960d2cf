import Foundation

/// Writes small PDFs, sound and broken ones, with a correct cross-reference table.
struct PDFBuilder {
    var mediaBox = "0 0 300 144"
    /// The page tree's `Kids` and `Count`.
    var kids = "[3 0 R]"
    var count = "1"
    var title = "A title"
    /// Further entries of the document information.
    var information = ""
    /// Further entries of the catalog.
    var catalog = ""
    /// Further entries of the trailer, and further objects from number 6 on, which they and the resources may name.
    var trailer = ""
    var others: [String] = []
    /// Further entries of the page.
    var page = ""
    /// The entries of the page's resources.
    var resources = ""
    /// The page's drawing operators; the default is a black square in the middle.
    var drawing = "0 g 75 36 150 72 re f"

    var data: Data {
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R \(catalog) >>",
            "<< /Type /Pages /Kids \(kids) /Count \(count) >>",
            """
            << /Type /Page /Parent 2 0 R /MediaBox [\(mediaBox)] /Contents 4 0 R /Resources << \(resources) >> \(page) >>
            """,
            Self.stream(drawing),
            "<< /Title (\(title)) /Author (An author) /Producer (A producer) \(information) >>",
        ]
        var file = "%PDF-1.7\n"
        var offsets: [Int] = []
        for (index, object) in (objects + others).enumerated() {
            offsets.append(file.utf8.count)
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let table = file.utf8.count
        file += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
        for offset in offsets { file += "\(String(repeating: "0", count: 10 - "\(offset)".count))\(offset) 00000 n \n" }
        file += "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R /Info 5 0 R \(trailer) >>\n"
        file += "startxref\n\(table)\n%%EOF\n"
        return Data(file.utf8)
    }

    /// Encrypted without a known password: the digests match none.
    static var locked: Data {
        let digest = String(repeating: "5a", count: 32)
        return PDFBuilder(
            trailer: "/Encrypt 6 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]",
            others: ["<< /Filter /Standard /V 1 /R 2 /O <\(digest)> /U <\(digest)> /P -4 >>"]
        ).data
    }

    /// A page of 100 points with a Type 3 font. Its glyph is a square with sides of a billion points.
    static var hugeGlyph: Data {
        PDFBuilder(
            mediaBox: "0 0 100 100",
            others: [
                """
                << /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [1000 0 0 1000 0 0]
                /CharProcs << /a 7 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >>
                /FirstChar 97 /LastChar 97 /Widths [1000] /Resources << >> >>
                """, stream("1000 0 0 0 1000000 1000000 d1 0 0 1000000 1000000 re f"),
            ],
            resources: "/Font << /F 6 0 R >>", drawing: "BT /F 12 Tf 10 10 Td (aaa) Tj ET"
        ).data
    }

    /// Pages with one line of text each, in Latin-1.
    static func words(_ pages: [String]) -> Data {
        let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
        let texts = pages.map { text in
            let escaped = text.unicodeScalars.map { scalar in
                let isPlain = scalar.isASCII && !"()\\".unicodeScalars.contains(scalar)
                let octal = String(scalar.value, radix: 8)
                return isPlain ? String(scalar) : "\\" + String(repeating: "0", count: 3 - octal.count) + octal
            }
            return stream("BT /F 12 Tf 20 100 Td (\(escaped.joined())) Tj ET")
        }
        let numbers = pages.indices.map { 7 + 2 * $0 }
        let others = zip(numbers, texts).flatMap { number, text in
            [
                """
                << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 144] /Contents \(number + 1) 0 R
                /Resources << /Font << /F 6 0 R >> >> >>
                """, text,
            ]
        }
        return PDFBuilder(
            kids: "[\(numbers.map { "\($0) 0 R" }.joined(separator: " "))]", count: "\(pages.count)",
            others: [font] + others
        ).data
    }

    /// A page that shows a picture of one gray pixel.
    static var scan: Data {
        let picture = """
            << /Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /Length 1 >>
            stream
            x
            endstream
            """
        return PDFBuilder(
            others: [picture], resources: "/XObject << /P 6 0 R >>", drawing: "q 300 0 0 144 0 0 cm /P Do Q"
        ).data
    }

    /// An outline with two entries; the second is below the first, and names it as the next one.
    static var outline: Data {
        PDFBuilder(
            catalog: "/Outlines 6 0 R",
            others: [
                "<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 2 >>",
                "<< /Title (Tea) /Parent 6 0 R /First 8 0 R /Last 8 0 R /Count 1 /Next 7 0 R >>",
                "<< /Title (Green tea) /Parent 7 0 R /Next 7 0 R >>",
            ]
        ).data
    }

    private static func stream(_ text: String) -> String {
        "<< /Length \(text.utf8.count) >>\nstream\n\(text)\nendstream"
    }
}
