import Formats
import Testing

/// The grammar of forms: RFC 7578, and RFC 2046, section 5.1.
@Suite struct MultipartTests {
    /// What a parser says about a body, with the pieces of a part's content joined.
    private struct Form: Equatable {
        var parts: [(header: MultipartHeader, content: String)] = []
        var fault: MultipartParser.Fault?

        static func == (left: Form, right: Form) -> Bool {
            left.fault == right.fault
                && left.parts.elementsEqual(right.parts) { $0.header == $1.header && $0.content == $1.content }
        }
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.replacing("\n", with: "\r\n").utf8) }

    /// Parses a body that comes in pieces of `size` bytes.
    private static func parse(_ body: [UInt8], limit: Int = 1_000, pieces size: Int) -> Form {
        var parser = MultipartParser(boundary: Array("b".utf8), headerLimit: limit)
        var form = Form()
        var content: [[UInt8]] = []
        var rest = body[...]
        // Each event takes a byte or ends, so a body has at most twice as many as bytes.
        for _ in 0...body.count * 2 + 4 {
            do {
                switch try parser.next() {
                case .needsBytes:
                    parser.append(rest.prefix(size))
                    rest = rest.dropFirst(size)
                    continue
                case .content(let piece):
                    // Bytes before the first part mean nothing.
                    if !content.isEmpty { content[content.count - 1] += piece }
                    continue
                case .part(let header):
                    form.parts.append((header, ""))
                    content.append([])
                    continue
                case .end: break
                }
            } catch {
                form.fault = error
            }
            for place in content.indices {
                form.parts[place].content = String(decoding: content[place], as: UTF8.self)
            }
            return form
        }
        Issue.record("the parser does not end")
        return form
    }

    /// The header of a part, and its content.
    private static func part(_ header: String, _ content: String) -> String {
        "--b\nContent-Disposition: form-data; \(header)\n\n\(content)\n"
    }

    // MARK: - How a body begins

    @Test(
        arguments: [
            ("--b\r\nContent-Disposition", "b"), ("--b\r\ncontent-type: text/plain", "b"),
            ("------WebKitFormBoundaryX\r\nContent-", "----WebKitFormBoundaryX"),
            ("--a b\r\nContent-", "a b"), ("--'()+_,-./:=?\r\nContent-", "'()+_,-./:=?"),
            ("--" + String(repeating: "x", count: 70) + "\r\nContent-", String(repeating: "x", count: 70)),
            ("--" + String(repeating: "x", count: 71) + "\r\nContent-", nil),
            ("--b \r\nContent-", nil), ("--\r\nContent-", nil), ("--b\nContent-", nil), ("--b\r\nX-Other: y", nil),
            ("--b--\r\n", nil), ("-b\r\nContent-", nil), ("--bä\r\nContent-", nil), ("--b", nil), ("", nil),
            ("\r\n--b\r\nContent-", nil), ("--- a/file\n+++ b/file\n", nil),
        ] as [(String, String?)])
    func aBodyBeginsWithItsBoundary(_ head: String, _ boundary: String?) {
        #expect(MultipartParser.boundary(in: Array(head.utf8)) == boundary.map { Array($0.utf8) })
    }

    // MARK: - Headers

    /// A header, and the field, the file, the type and the encoding that it states.
    @Test(
        arguments: [
            (#"Content-Disposition: form-data; name="a""#, ["a", nil, nil, nil]),
            (#"content-disposition:form-data;name=a;filename=b.txt"#, ["a", "b.txt", nil, nil]),
            ("CONTENT-DISPOSITION: Form-Data ; NAME=\"a\" ;\tFileName=\"b\"", ["a", "b", nil, nil]),
            ("Content-Disposition: form-data;\r\n name=\"a\";\r\n\tfilename=\"b\"", ["a", "b", nil, nil]),
            (#"Content-Disposition: form-data; name="""#, ["", nil, nil, nil]),
            (#"Content-Disposition: form-data; name="a"; filename="""#, ["a", "", nil, nil]),
            (#"Content-Disposition: form-data; name="a"; name="b""#, ["a", nil, nil, nil]),
            ("Content-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b", ["a", nil, nil, nil]),
            // Some programs escape by a backslash, browsers by a percent sign.
            (#"Content-Disposition: form-data; name="a\"b\\c\d""#, [#"a"b\c\d"#, nil, nil, nil]),
            (#"Content-Disposition: form-data; name="a%22%0D%0Ab%20%41%""#, ["a\"\r\nb%20%41%", nil, nil, nil]),
            (#"Content-Disposition: form-data; name="a; filename=b""#, ["a; filename=b", nil, nil, nil]),
            (#"Content-Disposition: form-data; name="a"#, ["a", nil, nil, nil]),
            (#"Content-Disposition: form-data; name="grüße""#, ["grüße", nil, nil, nil]),
            (
                #"Content-Disposition: form-data; name=a; filename=x; filename*=UTF-8''%C3%AFve"#,
                ["a", "ïve", nil, nil]
            ),
            (#"Content-Disposition: form-data; name=a; filename="x"; filename*=naïve"#, ["a", "x", nil, nil]),
            ("Content-Disposition: form-data; name=a\r\nContent-Type: Text/Plain; x=y", ["a", nil, "text/plain", nil]),
            ("Content-Type:\r\nContent-Disposition: form-data; name=a", ["a", nil, nil, nil]),
            ("Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: Base64", ["a", nil, nil, "base64"]),
            ("Content-Disposition: form-data; name=a\r\nContent-Transfer-Encoding: 8BIT", ["a", nil, nil, nil]),
            ("no colon\r\n: no name\r\nContent-Disposition: form-data; name=a", ["a", nil, nil, nil]),
        ] as [(String, [String?])])
    func aHeaderStates(_ text: String, _ facts: [String?]) throws {
        let header = try #require(MultipartHeader(text.utf8))
        #expect([header.name, header.fileName, header.type, header.encoding] == facts)
    }

    @Test(arguments: [
        "", "Content-Type: text/plain", "Content-Disposition: form-data", "Content-Disposition: attachment; name=a",
        "Content-Disposition: ; name=a", "Content-Disposition: form-data; names=a", "Content-Disposition; name=a",
        "Content-Disposition: form-data; name", "X: y\r\n\tContent-Disposition: form-data; name=a",
    ])
    func aPartWithoutAFieldIsNone(_ text: String) { #expect(MultipartHeader(text.utf8) == nil) }

    // MARK: - Bodies

    private static let bodies: [(String, [String])] = [
        // The line end before a delimiter belongs to the delimiter.
        ("\(part("name=a", "one"))\(part("name=c", "two\n"))--b--", ["one", "two\r\n"]),
        ("\(part("name=a", ""))--b--\n", [""]),
        // A part without content may lack the line end after its header.
        ("--b\nContent-Disposition: form-data; name=a\n\n\(part("name=c", "x"))--b--", ["", "x"]),
        ("--b\nContent-Disposition: form-data; name=a\n\n--b--", [""]),
        // Only a whole line is a delimiter.
        ("\(part("name=a", "--b-\n--bb\n--b x\n --b\n-b\n--B"))--b--", ["--b-\r\n--bb\r\n--b x\r\n --b\r\n-b\r\n--B"]),
        // White space may follow it.
        ("\(part("name=a", "x"))--b \t \nContent-Disposition: form-data; name=c\n\ny\n--b--", ["x", "y"]),
        // What follows the last delimiter means nothing.
        ("\(part("name=a", "x"))--b--\n\(part("name=c", "y"))", ["x"]),
        ("\(part("name=a", "x"))--b-- and more", ["x"]),
    ]

    /// The content of each part, whatever pieces the body comes in.
    @Test(arguments: bodies) func contentEndsAtADelimiter(_ text: String, _ contents: [String]) {
        let body = Self.bytes(text)
        let whole = Self.parse(body, pieces: body.count)
        #expect(whole.parts.map(\.content) == contents && whole.fault == nil)
        for size in 1...24 { #expect(Self.parse(body, pieces: size) == whole, "in pieces of \(size)") }
    }

    /// The bytes behind the last delimiter, which belong to no part.
    @Test(arguments: ["", "--", "\r\n", "\r\nmore\r\n--b--", " x"]) func theRestIsKnown(_ rest: String) throws {
        var parser = MultipartParser(boundary: Array("b".utf8), headerLimit: 100)
        #expect(parser.rest.isEmpty)
        parser.append(Array((Self.part("name=a", "x").replacing("\n", with: "\r\n") + "--b--" + rest).utf8))
        while try parser.next() != .end { #expect(parser.rest.isEmpty) }
        #expect(parser.rest.elementsEqual(rest.utf8))
    }

    /// Any bytes may be content, line ends of all kinds among them.
    @Test func contentIsKeptAsItIs() {
        var bytes = Array(repeating: Array(0...255), count: 40).flatMap(\.self).map { UInt8($0) }
        bytes += Array("\r\r\n\n\r\n-\r\n--\r\n--".utf8)
        let head = Array("--b\r\nContent-Disposition: form-data; name=a\r\n\r\n".utf8)
        var parser = MultipartParser(boundary: Array("b".utf8), headerLimit: 100)
        parser.append(head + bytes + Array("\r\n--b--".utf8))
        var found: [UInt8] = []
        while case let event? = try? parser.next(), event != .end {
            if case .content(let piece) = event { found += piece }
        }
        #expect(found == bytes)
    }

    @Test(arguments: [
        ("", MultipartParser.Fault.truncated), ("--b", .truncated), ("--b\r\n", .truncated),
        ("--b\r\nContent-Disposition: form-data; name=a", .truncated),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx", .truncated),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b", .truncated),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b-", .truncated),
        ("--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\n--b--", .truncated),
        ("--b\r\n\r\nx\r\n--b--", .namelessPart), ("--b\r\nContent-Type: a/b\r\n\r\nx\r\n--b--", .namelessPart),
    ])
    func aBrokenBodyHasAFault(_ text: String, _ fault: MultipartParser.Fault) {
        for size in [1, 2, 5, 1_000] { #expect(Self.parse(Array(text.utf8), pieces: size).fault == fault) }
    }

    @Test(arguments: [0, 1]) func aHeaderIsLimited(_ more: Int) {
        let header = "Content-Disposition: form-data; name=a; x=" + String(repeating: "y", count: 200)
        let limit = header.utf8.count - more
        let body = Array("--b\r\n\(header)\r\n\r\nx\r\n--b--".utf8)
        for size in [1, 64, 1_000] {
            #expect(Self.parse(body, limit: limit, pieces: size).fault == (more == 0 ? nil : .longHeader))
        }
        let endless = Array("--b\r\n".utf8) + Array(repeating: UInt8(ascii: "x"), count: 100_000)
        #expect(Self.parse(endless, limit: limit, pieces: 4_096).fault == .longHeader)
    }

    // MARK: - Hostile bodies

    /// The work grows with the length, and not with its square: near delimiters, white space behind a delimiter, and
    /// parts without content. With squares, each of these bodies of a million bytes would take minutes.
    @Test(
        .timeLimit(.minutes(60)),
        arguments: [
            ("\r\n--", 250_000), ("\r\n--b x", 140_000), ("\r\n--b" + String(repeating: " ", count: 69) + "x", 13_000),
            (String(repeating: " ", count: 1_000), 1_000),
            ("\r\n--b\r\nContent-Disposition: form-data; name=a\r\n", 20_000),
        ])
    func hostileBodiesAreParsed(_ unit: String, _ count: Int) {
        let head = Self.bytes("--b\nContent-Disposition: form-data; name=a\n\nx")
        let body = head + Array(repeating: Array(unit.utf8), count: count).joined()
        #expect(Self.parse(body, pieces: 64 << 10).fault == .truncated)
    }

    /// Mutations of a form end in parts or in a fault, and the pieces that it comes in change nothing.
    @Test(arguments: 0..<4) func mutationsDoNoHarm(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let body = Self.bytes(
            Self.part(#"name="a"; filename="b.txt""#, "one\n--b-\ntwo") + Self.part("name=title", "x") + "--b--\n")
        for _ in 0..<500 {
            let mutation = random.mutation(of: body)
            let whole = Self.parse(mutation, limit: 100, pieces: mutation.count + 1)
            #expect(whole.parts.reduce(0) { $0 + $1.content.utf8.count } <= mutation.count * 3)
            for size in [1, 3, 16] { #expect(Self.parse(mutation, limit: 100, pieces: size) == whole) }
        }
    }
}
