internal import SinkHost

/// A minimal PDF, a minimal HTML page and a minimal mail.
enum BuiltInDocuments {
    static let page = """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>Rivers</title></head>
        <body><h1>Rivers</h1><p>They rise in the hills. <a href="https://example.org/">More</a></p></body></html>

        """

    // RFC 5322, section 2.1: a line of a mail ends in CRLF.
    static let mail =
        [
            "From: Ada <ada@example.org>", "To: Ben <ben@example.org>", "Subject: Rivers",
            "Date: Tue, 01 Sep 2026 10:00:00 +0000", "Message-ID: <rivers@example.org>", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "", "They rise in the hills.", "",
        ].joined(separator: "\r\n")

    /// One page, 200 × 100 points, with a black rectangle.
    static let pdf: [UInt8] = {
        let drawing = "0 g 50 25 100 50 re f"
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << >> >>",
            "<< /Length \(drawing.utf8.count) >>\nstream\n\(drawing)\nendstream", "<< /Title (Rivers) >>",
        ]
        var file = "%PDF-1.4\n"
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for (index, object) in objects.enumerated() {
            let offset = "\(file.utf8.count)"
            // An entry has exactly 20 bytes, so a space precedes its line feed (ISO 32000-1, section 7.5.4).
            table += String(repeating: "0", count: 10 - offset.utf8.count) + "\(offset) 00000 n \n"
            file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let end =
            "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R /Info 5 0 R >>\nstartxref\n\(file.utf8.count)\n%%EOF\n"
        return Array((file + table + end).utf8)
    }()
}
