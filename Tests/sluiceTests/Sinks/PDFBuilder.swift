import Foundation

/// Writes small PDFs, sound and broken ones, with a correct cross-reference table.
struct PDFBuilder {
    var mediaBox = "0 0 300 144"
    /// The page tree's `Kids` and `Count`.
    var kids = "[3 0 R]"
    var count = "1"
    var title = "A title"
    /// Further entries of the trailer, and further objects from number 6 on, which they and the resources may name.
    var trailer = ""
    var others: [String] = []
    /// The entries of the page's resources.
    var resources = ""
    /// The page's drawing operators; the default is a black square in the middle.
    var drawing = "0 g 75 36 150 72 re f"

    var data: Data {
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids \(kids) /Count \(count) >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [\(mediaBox)] /Contents 4 0 R /Resources << \(resources) >> >>",
            Self.stream(drawing),
            "<< /Title (\(title)) /Author (An author) /Producer (A producer) >>",
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

    private static func stream(_ text: String) -> String {
        "<< /Length \(text.utf8.count) >>\nstream\n\(text)\nendstream"
    }
}
