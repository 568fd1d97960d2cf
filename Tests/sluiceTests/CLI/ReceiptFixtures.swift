import Foundation
import ShareModel

/// Receipts written by hand, in the form that the pipeline makes.
enum ReceiptFixtures {
    static let digest = String(repeating: "ab", count: 32)

    static func receipt(_ json: String) throws -> Receipt {
        try JSONDecoder().decode(Receipt.self, from: Data(json.utf8))
    }

    /// One PDF, delivered to its sink.
    static func accepted(name: String = "invoice.pdf", delivery: String = "delivered") throws -> Receipt {
        try receipt(
            """
            {"id": "4f3a12b0c9d100000000000000000000", "source": {"kind": "file", "path": "in/\(name)"},
             "outcome": "accepted", "bytes": 42000, "stored_bytes": 42000, "warnings": [],
             "item": {"index": 0, "rule": "file", "why": "the only item"}, "alternatives": [],
             "providers": [{"index": 0, "name": "\(name)", "outcome": "stored", "type": "application/pdf",
               "sha256": "\(digest)", "size": 42000, "basis": ["libmagic: application/pdf"], "warnings": [],
               "chosen": 0, "reason": "the only representation", "group": 0,
               "tried": [{"representation": 0, "form": "file", "outcome": "chosen", "why": "a regular file"}],
               "deliveries": [{"id": "d0d0d0d0d0d0d0d0", "sink": "pdf-import", "outcome": "\(delivery)",
                 "attempts": 1, "products": []\(delivery == "failed" ? #", "why": "it crashed""# : "")}]}],
             "groups": [{"rule": "single", "providers": [0]}]}
            """)
    }

    /// A share of three photos: two are stored, one of them with a false claim; the third has no usable representation.
    static func partial() throws -> Receipt {
        try receipt(
            """
            {"id": "aa00000000000000aa00000000000000", "source": {"kind": "share", "path": "Trip.share"},
             "outcome": "partial", "reason": "1 of 3 providers failed", "bytes": 3000, "stored_bytes": 3000,
             "warnings": [],
             "item": {"index": 1, "title": "Trip", "text": "three of us", "rule": "images", "why": "only images"},
             "alternatives": [{"index": 0, "rule": "text", "why": "describes the same"}],
             "providers": [\(provider(0, "a.jpg", declared: "public.png", warning: "declared PNG, but is JPEG")),
               \(provider(1, "a.mov", declared: "public.movie", type: "video/quicktime", group: 0)),
               {"index": 2, "name": "c.jpg", "outcome": "failed", "basis": [], "warnings": [], "deliveries": [],
                "reason": "no representation could be used", "tried": [
                 {"representation": 0, "form": "file", "declared": "public.jpeg", "outcome": "failed",
                  "why": "c.jpg: no such file"},
                 {"representation": 1, "form": "data", "declared": "public.jpeg", "outcome": "contradicted",
                  "why": "an HTML page"}]}],
             "groups": [{"rule": "live photo", "providers": [0, 1]}]}
            """)
    }

    private static func provider(
        _ index: Int, _ name: String, declared: String, type: String = "image/jpeg", warning: String? = nil,
        group: Int = 0
    ) -> String {
        let delivery = #"{"id": "e0e0", "sink": "image-import", "outcome": "pending", "attempts": 0, "products": []}"#
        return """
            {"index": \(index), "name": "\(name)", "outcome": "stored", "type": "\(type)", "sha256": "\(digest)",
             "size": 1500, "basis": ["libmagic: \(type)"], "warnings": [\(warning.map { "\"\($0)\"" } ?? "")],
             "chosen": 0, "reason": "the first that could be read", "group": \(group),
             "tried": [{"representation": 0, "form": "file", "declared": "\(declared)", "outcome": "chosen",
                        "why": "a regular file"}],
             "deliveries": [\(index == 0 ? delivery : "")]}
            """
    }
}
