import ShareModel
import Sniffing
import Testing

@Suite("Claims and conformance")
struct ClaimTests {
    /// The system's database, and the bundled table alone.
    static let databases = [SharedMIMEDatabase.system, SharedMIMEDatabase(dataFolders: ["/nonexistent"])]

    private func type(_ text: String) throws -> MediaType { try #require(MediaType(text)) }

    @Test(arguments: [
        ("image/jpeg", "image/jpeg", true), ("image/pjpeg", "image/jpeg", true), ("image/jpg", "image/jpeg", true),
        ("image/jpeg", "image/pjpeg", true),
        ("image/jpeg", "image/*", true), ("image/jpeg", "image/png", false),
        ("image/jpeg", "application/octet-stream", true),
        ("text/x-unheard-of", "text/plain", true), ("text/html", "text/plain", true),
        ("text/plain", "text/html", false),
        ("image/svg+xml", "application/xml", true), ("image/svg+xml", "text/plain", true),
        ("image/svg+xml", "image/*", true),
        (
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/zip", true
        ),
        ("application/vnd.ms-word.document.macroEnabled.12", "application/zip", true),
        ("application/pdf", "*/*", true), ("application/pdf", "text/*", false),
    ])
    func conformance(_ type: String, _ ancestor: String, _ conforms: Bool) throws {
        for database in Self.databases {
            #expect(try database.conforms(self.type(type), to: self.type(ancestor)) == conforms)
        }
    }

    @Test(arguments: [
        ("a.md", "text/markdown"), ("A.JPG", "image/jpeg"), ("a.tar.gz", "application/x-compressed-tar"),
        ("a.gz", "application/gzip"), ("Makefile", "text/x-makefile"), ("a.c", "text/x-csrc"), ("a.C", "text/x-c++src"),
        ("folder.md/a.png", "image/png"), ("a.html", "text/html"), ("none", nil), (".", nil), ("", nil), ("a.ogg", nil),
        ("a.unheardof", nil),
        ("libx.so.6", "application/x-sharedlib"), ("libcrypto.so.1.0.2k", "application/x-sharedlib"),
        ("libx.so.1.zip", "application/zip"), ("lib.so.0.7-gdb.py", "text/x-python"), ("ls.1", nil),
    ])
    func names(_ name: String, _ type: String?) {
        for database in Self.databases { #expect(database.type(forName: name)?.description == type) }
    }

    @Test func theBundledTableKnowsCommonTypes() throws {
        let none = SharedMIMEDatabase(dataFolders: ["/nonexistent"])
        #expect(none.type(forName: "a.md")?.description == "text/markdown")
        #expect(try none.conforms(type("image/jpeg"), to: type("image/jpg")))
        #expect(try none.conforms(type("image/svg+xml"), to: type("application/xml")))
        #expect(try none.conforms(type("text/x-unheard-of"), to: .plainText))
        #expect(try none.conforms(type("image/x-unheard-of"), to: type("image/*")))
        #expect(try none.conforms(type("image/x-unheard-of"), to: type("image/x-unheard-of")))
        #expect(try !none.conforms(type("image/x-unheard-of"), to: type("image/x-other")))
        #expect(try none.conforms(type("image/jpeg"), to: .unknown))
    }

    @Test(arguments: [
        ("public.jpeg", "image/jpeg"), (" Public.JPEG ", "image/jpeg"), ("com.adobe.pdf", "application/pdf"),
        ("IMAGE/PNG", "image/png"), ("text/html; charset=utf-8", "text/html"), ("public.image", nil),
        ("public.url", nil),
        ("application/octet-stream", nil), ("dyn.age8u", nil), ("", nil), ("a/b/c", nil), ("image/*", nil),
        ("com.apple.quicktime-movie", "video/quicktime"), ("public.vcard", "text/vcard"),
    ])
    func declaredTypes(_ text: String, _ type: String?) {
        #expect(DeclaredType(text).mediaType?.description == type)
    }

    @Test func kindsOfDeclarations() {
        #expect(DeclaredType("public.file-url").kind == .fileURL)
        #expect(DeclaredType("public.url").kind == .url)
        #expect(DeclaredType("public.image").kind == .abstract(.image))
        #expect(DeclaredType("video/*").kind == .abstract(.video))
        #expect(DeclaredType("public.data").kind == .generic)
        #expect(DeclaredType("*/*").kind == .generic)
        #expect(DeclaredType("nonsense").kind == .unknown)
        #expect(DeclaredType(String(repeating: "a/", count: 9_999)).kind == .unknown)
    }

    @Test(arguments: [
        ("text/html", "public.jpeg", nil, true), ("text/html", "com.adobe.pdf", "a.pdf", true),
        ("text/html", "public.movie", nil, true), ("text/html", "public.mp3", nil, true),
        ("text/html", "public.zip-archive", nil, true), ("text/html", "public.plain-text", nil, false),
        ("text/html", "public.jpeg", "a.html", false), ("text/html", "public.data", nil, false),
        ("text/html", nil, nil, false), ("text/html", "public.svg-image", nil, true),
        ("image/jpeg", "public.png", nil, false),
        ("application/zip", "org.openxmlformats.wordprocessingml.document", nil, false),
        ("application/zip", "com.adobe.pdf", "a.pdf", true), ("application/json", "public.heic", nil, true),
        ("application/octet-stream", "public.jpeg", "a.jpg", false), ("application/x-empty", "public.jpeg", nil, true),
        ("application/x-empty", "public.plain-text", nil, false), ("application/x-empty", "public.data", nil, false),
        ("application/x-empty", nil, "a.zip", true), ("video/mp4", "public.mpeg-4-audio", nil, false),
        ("application/xml", "public.svg-image", nil, false), ("image/jpeg", "com.apple.quicktime-movie", nil, true),
        ("application/gzip", nil, "drawing.svgz", false), ("application/vnd.ms-tnef", nil, "winmail.dat", false),
    ])
    func contradictions(_ type: String, _ declared: String?, _ name: String?, _ contradicts: Bool) throws {
        let why = Contradiction.plainlyContradicts(
            try self.type(type), claims: TypeClaims(declared: declared, name: name))
        #expect((why != nil) == contradicts)
    }

    @Test func contradictionsSayWhy() {
        let claims = TypeClaims(declared: "public.jpeg", name: "photo.jpg")
        #expect(
            Contradiction.plainlyContradicts(.html, claims: claims)
                == "declared public.jpeg and named *.jpg, but the bytes are text/html")
    }
}
