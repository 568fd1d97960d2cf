import ShareModel
import SystemPackage
import Testing

@testable import sluice

@Suite struct ReceiptTextTests {
    private func text(_ lines: [StyledLine]) -> [String] { lines.map { $0.rendered(color: false) } }

    @Test func anAcceptedPackageIsALine() throws {
        let lines = text(ReceiptText(receipt: try ReceiptFixtures.accepted(), containerOption: "").lines)
        #expect(
            lines == [
                "accepted   invoice.pdf               application/pdf    42 KB → pdf-import"
            ])
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test func aFailedDeliveryNamesTheRemedy() throws {
        let lines = text(
            ReceiptText(receipt: try ReceiptFixtures.accepted(delivery: "failed"), containerOption: "").lines)
        #expect(lines.count == 2)
        #expect(lines[0].hasSuffix("→ pdf-import (failed)"))
        #expect(
            lines[1] == "           ✗ pdf-import failed: it crashed — again: sluice deliver --retry d0d0d0d0d0d0")
    }

    @Test func anOpenDeliveryNamesTheReason() throws {
        var receipt = try ReceiptFixtures.accepted(delivery: "pending")
        receipt.providers[0].deliveries[0].why = "the sink cannot be started"
        let lines = text(ReceiptText(receipt: receipt, containerOption: "").lines)
        #expect(lines.dropFirst() == ["           ! pdf-import pending: the sink cannot be started"])
    }

    @Test(arguments: [(1, "1 byte is kept:"), (2, "2 bytes are kept:")])
    func theSizeOfWhatIsKeptAgreesWithItsVerb(_ size: Int64, _ words: String) throws {
        var receipt = try ReceiptFixtures.accepted()
        receipt.kept = [Receipt.KeptInput(sha256: Digest(of: ""), size: size)]
        #expect(text(ReceiptText(receipt: receipt, containerOption: "").lines).contains { $0.contains(words) })
    }

    /// Of a package that was just committed, a delivery is open because it has not been tried.
    @Test func anOpenDeliveryOfThisRunNeedsNoWord() throws {
        var receipt = try ReceiptFixtures.accepted(delivery: "pending")
        receipt.providers[0].deliveries[0].why = "the sink cannot be started"
        let lines = text(ReceiptText(receipt: receipt, containerOption: "", isOpen: true).lines)
        #expect(lines == text(ReceiptText(receipt: try ReceiptFixtures.accepted(), containerOption: "").lines))
    }

    @Test(arguments: [
        ("delivered", nil), ("duplicate", nil),
        ("declined", "· invoice.pdf → pdf-import declined: it crashed"),
        ("pending", "! invoice.pdf → pdf-import pending: it crashed"),
        ("failed", "✗ invoice.pdf → pdf-import failed: it crashed — again: sluice deliver --retry d0d0d0d0d0d0"),
    ])
    func theEndOfADeliveryIsALine(outcome: String, line: String?) throws {
        var record = try ReceiptFixtures.accepted(delivery: outcome).providers[0].deliveries[0]
        record.why = "it crashed"
        #expect(
            DeliveryText(record: record, containerOption: "").news(name: "invoice.pdf")?.rendered(color: false) == line)
    }

    /// No line about a package is wider than the terminal, whatever the names are.
    @Test(arguments: [40, 60, 72, 80, 120])
    func linesFitTheTerminal(columns: Int) throws {
        let names = ["日本語/testWORD_override_list_numbering.docx", "a.pdf", String(repeating: "long name ", count: 30)]
        for name in names {
            var receipts = [try ReceiptFixtures.accepted(name: name), try ReceiptFixtures.partial()]
            receipts += [PackageOutcome.duplicate, .skipped, .failed].map { outcome in
                var receipt = receipts[0]
                receipt.outcome = outcome
                receipt.reason = "it has a reason of many words, which does not fit into any line of a terminal"
                receipt.duplicateOf = receipt.id
                return receipt
            }
            receipts[0].providers[0].warnings = ["declared public.png and named *.png, but the bytes are image/jpeg"]
            for receipt in receipts {
                let layout = ResultLayout(columns: columns)
                let lines = ReceiptText(receipt: receipt, containerOption: "", layout: layout).lines.flatMap {
                    $0.wrapped(to: columns)
                }
                #expect(lines.allSatisfy { $0.width <= columns }, "\(text(lines))")
            }
        }
    }

    @Test func aLongNameIsCutInItsMiddle() throws {
        let receipt = try ReceiptFixtures.accepted(name: "testWORD_override_list_numbering.pdf")
        #expect(
            text(ReceiptText(receipt: receipt, containerOption: "", layout: ResultLayout(columns: 80)).lines) == [
                "accepted   testWORD_overri…ring.pdf  application/pdf    42 KB → pdf-import"
            ])
        #expect(
            text(ReceiptText(receipt: receipt, containerOption: "", layout: ResultLayout(columns: 40)).lines) == [
                "accepted   testWORD_ov…ng.pdf  42 KB"
            ])
    }

    /// A reason, the package of a duplicate and the sinks are never cut: the remedy is at the end.
    @Test(arguments: [
        (
            PackageOutcome.skipped, 80,
            ["skipped    …/film.mkv.part", "           still being written (.part); run again when it is done"]
        ),
        (
            PackageOutcome.skipped, 40,
            [
                "skipped    a long folder/film.mkv.part", "  still being written (.part); run again",
                "    when it is done",
            ]
        ),
        (PackageOutcome.duplicate, 40, ["duplicate  …/film.mkv.part", "  same as 4f3a12b0c9d1"]),
        (
            PackageOutcome.accepted, 80,
            ["accepted   …/film.mkv.part           vnd.wordperfect    42 KB", "           → pdf-import (quarantined)"]
        ),
    ])
    func whatDoesNotFitIsBelow(_ outcome: PackageOutcome, _ columns: Int, _ expected: [String]) throws {
        var receipt = try ReceiptFixtures.accepted(delivery: "quarantined")
        receipt.source.path = "/t/a long folder" + (columns == 80 ? String(repeating: " name", count: 20) : "")
        receipt.source.path += "/film.mkv.part"
        receipt.outcome = outcome
        receipt.reason = "still being written (.part); run again when it is done"
        receipt.duplicateOf = receipt.id
        receipt.providers[0].type = MediaType("application/vnd.wordperfect")
        let text = ReceiptText(
            receipt: receipt, names: SourceNames(named: ["/t"]), containerOption: "",
            layout: ResultLayout(columns: columns))
        let lines = self.text(text.lines.flatMap { $0.wrapped(to: columns) })
        #expect(lines.prefix(expected.count) == expected[...])
    }

    @Test func aDuplicateNamesTheOriginal() throws {
        var receipt = try ReceiptFixtures.accepted()
        receipt.outcome = .duplicate
        receipt.duplicateOf = receipt.id
        let lines = text(ReceiptText(receipt: receipt, containerOption: "").lines)
        #expect(lines.count == 1)
        #expect(lines == ["duplicate  invoice.pdf               application/pdf    same as 4f3a12b0c9d1"])
    }

    @Test func failuresAreNamedBelowTheLine() throws {
        let lines = text(ReceiptText(receipt: try ReceiptFixtures.partial(), containerOption: "").lines)
        #expect(lines.first?.hasPrefix("partial    Trip.share") == true)
        #expect(lines.first?.contains("image/jpeg, video/quicktime") == true)
        #expect(
            Array(lines.dropFirst()) == [
                "           1 of 3 providers failed",
                "           ✗ c.jpg: no representation could be used",
                "           ! a.jpg: declared PNG, but is JPEG",
            ])
    }

    @Test func laterArrivalsAreListed() throws {
        var receipt = try ReceiptFixtures.accepted()
        receipt.received = "2026-01-01T00:00:00Z"
        receipt.supersededBy = "77"
        receipt.providers[0].modified = Timestamp(nanoseconds: 1)
        receipt.sightings = [
            .init(
                source: .init(kind: .share, path: "in/x.share"), names: ["a\u{1b}.pdf", "b"],
                received: "2026-01-02T00:00:00Z"),
            .init(
                source: .init(kind: .file, path: "in/copy.pdf"), modified: Timestamp(nanoseconds: 0),
                received: "2026-01-03T00:00:00Z"),
        ]
        receipt.moreSightings = 2
        let lines = text(ReceiptTree(receipt: receipt, containerOption: "").lines)
        let expected = [
            "├─ replaced by  77", "├─ received  \(LocalTime.second("2026-01-01T00:00:00Z"))", "├─ seen again",
            "│  ├─ 2 earlier ones",
            "│  ├─ in/x.share as a\\u{1B}.pdf, b, received \(LocalTime.second("2026-01-02T00:00:00Z"))",
            "│  └─ in/copy.pdf, modified \(LocalTime.second("1970-01-01T00:00:00Z")), "
                + "received \(LocalTime.second("2026-01-03T00:00:00Z"))",
            "   ├─ modified  \(LocalTime.second("1970-01-01T00:00:00Z"))",
        ]
        for line in expected { #expect(lines.contains(line), "\(line) in \(lines.joined(separator: "\n"))") }
    }

    @Test func aSkippedInputKeepsItsPathAndReason() throws {
        var receipt = try ReceiptFixtures.accepted(name: ".hidden")
        receipt.outcome = .skipped
        receipt.reason = "hidden"
        receipt.providers = []
        #expect(
            text(ReceiptText(receipt: receipt, containerOption: "").lines) == [
                "skipped    .hidden                   hidden"
            ])
    }

    @Test(arguments: [
        (["/t"], "a/x.pdf"), (["/t/a"], "x.pdf"), (["/t/a/x.pdf"], "x.pdf"), (["/t/a/x.pdf", "/t/b"], "a/x.pdf"),
        (["/t/a/x.pdf", "/t/a/y.pdf"], "x.pdf"), (["/t/a", "/t/a/y.pdf"], "a/x.pdf"),
        (["/u", "/t/a"], "/t/a/x.pdf"), (["/elsewhere"], "/t/a/x.pdf"), ([], "x.pdf"),
    ])
    func namesAreRelativeToTheArguments(named: [FilePath], name: String) throws {
        var receipt = try ReceiptFixtures.accepted()
        receipt.source.path = "/t/a/x.pdf"
        #expect((named.isEmpty ? SourceNames() : SourceNames(named: named)).name(of: receipt) == name)
    }

    /// Two files of a list may have the same last component.
    @Test func namesOfAListAreRelativeToTheCurrentFolder() throws {
        var receipt = try ReceiptFixtures.accepted()
        for name in ["/t/a/x.pdf", "a/x.pdf"] {
            receipt.source.path = FilePath(name).absolute.string
            #expect(SourceNames.ofList.name(of: receipt) == name)
        }
    }

    @Test func eachFactIsPrintedOnce() throws {
        var receipt = try ReceiptFixtures.partial()
        receipt.providers[2].reason = "c.jpg is not there"
        #expect(
            text(ReceiptText(receipt: receipt, containerOption: "").lines).contains("           ✗ c.jpg is not there"))
        receipt.outcome = .failed
        receipt.reason = "Trip.share is not there"
        receipt.providers = []
        #expect(
            text(ReceiptText(receipt: receipt, containerOption: "").lines) == [
                "failed     Trip.share", "           it is not there",
            ])
        receipt = try ReceiptFixtures.partial()
        receipt.outcome = .failed
        receipt.reason = "c.jpg: no representation could be used"
        receipt.providers.removeFirst(2)
        #expect(text(ReceiptText(receipt: receipt, containerOption: "").lines).count == 2)
    }

    @Test func aNameCannotWriteToTheTerminal() throws {
        let hostile = #"a\u001B]0;own\u0007\n\u202Efdp.exe"#
        let receipt = try ReceiptFixtures.accepted(name: hostile)
        let shown = text(
            ReceiptText(receipt: receipt, containerOption: "").lines
                + ReceiptTree(receipt: receipt, containerOption: "").lines)
        for line in shown {
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0.value == 0x202E })
        }
        #expect(shown[0].contains(#"a\u{1B}]0;own\u{07}\n\u{202E}fdp.exe"#))
    }

    @Test func aNameThatIsNotUTF8ShowsItsBytes() throws {
        var receipt = try ReceiptFixtures.accepted()
        receipt.source.path = "in/gr\u{FFFD}n"
        receipt.source.pathBase64 = "aW4vZ3L8bg=="
        #expect(receipt.name == #"gr\xFCn"#)
        #expect(receipt.source.text == #"in/gr\xFCn"#)
    }

    @Test func theTreeShowsTheWholeReceipt() throws {
        let tree = text(ReceiptTree(receipt: try ReceiptFixtures.partial(), isPlan: true, containerOption: "").lines)
        #expect(
            tree == [
                "Trip.share  partial · 3 KB",
                "├─ package  aa00000000000000aa00000000000000 · a share folder",
                "├─ source  Trip.share",
                "├─ why  1 of 3 providers failed",
                "├─ item 2  “Trip”",
                "│  ├─ rule  images: only images",
                "│  └─ text  three of us",
                "├─ alternative 1",
                "│  └─ rule  text: describes the same",
                "├─ provider 1  a.jpg",
                "│  ├─ ✓ file, declared public.png: chosen — a regular file",
                "│  ├─ is  image/jpeg · 1.5 KB",
                "│  │  └─ libmagic: image/jpeg",
                "│  ├─ sha256  \(ReceiptFixtures.digest)",
                "│  ├─ ! declared PNG, but is JPEG",
                "│  ├─ group  live photo: leads a.mov",
                "│  └─ → image-import",
                "├─ provider 2  a.mov",
                "│  ├─ ✓ file, declared public.movie: chosen — a regular file",
                "│  ├─ is  video/quicktime · 1.5 KB",
                "│  │  └─ libmagic: video/quicktime",
                "│  ├─ sha256  \(ReceiptFixtures.digest)",
                "│  └─ group  live photo: belongs to a.jpg",
                "└─ provider 3  c.jpg  failed",
                "   ├─ ✗ file, declared public.jpeg: failed — c.jpg: no such file",
                "   ├─ ≠ data, declared public.jpeg: contradicted — an HTML page",
                "   └─ none chosen  no representation could be used",
            ])
    }

    @Test func theMetadataOfASinkIsShown() throws {
        var receipt = try ReceiptFixtures.accepted()
        receipt.providers[0].deliveries[0].metadata = ["title": "A\nB", "pages": 3, "sizes": [1, 2]]
        let tree = text(ReceiptTree(receipt: receipt, containerOption: "").lines)
        #expect(
            tree.suffix(4) == [
                "   └─ → pdf-import  delivered  d0d0d0d0d0d0",
                "      ├─ pages  3",
                "      ├─ sizes  1, 2",
                #"      └─ title  A\nB"#,
            ])
    }

    @Test(arguments: [
        (["image/jpeg"], "image/jpeg"), ([], ""),
        (["video/mp4", "image/jpeg", "image/jpeg"], "2 × image/jpeg, video/mp4"),
        (["a/a", "b/b", "c/c", "d/d"], "a/a, b/b and 2 more"), (["application/octet-stream"], "unknown bytes"),
        (["application/vnd.openxmlformats-officedocument.wordprocessingml.document"], "docx"),
    ])
    func typesAreCounted(types: [String], text: String) throws {
        var receipt = try ReceiptFixtures.accepted()
        let provider = receipt.providers[0]
        receipt.providers = types.map { type in
            var copy = provider
            copy.type = MediaType(type)
            return copy
        }
        #expect(ReceiptText.types(receipt) == text)
    }
}
