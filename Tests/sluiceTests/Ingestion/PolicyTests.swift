import Formats
import GroupContainer
import ShareModel
import SinkKit
import Sniffing
import Synchronization
import SystemPackage
import Testing

@testable import Ingestion
@testable import SinkHost

@Suite struct ResolvePolicyTests {
    struct Row: Sendable {
        var rule: String
        var attachments: [ItemProvider]
        var text: String?

        init(_ rule: String, _ declared: String?, _ content: Representation.Content, role: ItemProvider.Role = .content)
        {
            self.rule = rule
            attachments = [ItemProvider(role: role, representations: [.init(declaredType: declared, content: content)])]
        }

        init(_ rule: String, text: String?) {
            self.rule = rule
            self.text = text
            attachments = []
        }

        var item: ExtensionItem { ExtensionItem(text: text, attachments: attachments) }
    }

    private static let file = Representation.Content.file(.path("a"))

    static let rows = [
        Row("document as a file", "com.adobe.pdf", file), Row("document as a file", "application/zip", file),
        Row("document as a file", "text/html", .link("file:///a.html")),
        Row("image as a file", "public.jpeg", file), Row("image as a file", "image/png", .link("FILE:///a.png")),
        Row("file of no stated kind", nil, file), Row("file of no stated kind", "public.data", file),
        Row("file of no stated kind", "public.file-url", .text("file:///a")),
        Row("file of no stated kind", "public.file-url", .data([1])),
        Row("document as data", "com.adobe.pdf", .data([1])),
        Row("link", nil, .link("https://a")), Row("link", "public.jpeg", .link("https://a")),
        Row("link", "public.url", .data([1])), Row("link", "public.url", .text("https://a")),
        Row("image as data", "public.jpeg", .data([1])),
        Row("data of no stated kind", nil, .data([1])), Row("data of no stated kind", "public.data", .data([1])),
        Row("text", nil, .text("a")), Row("text", "public.plain-text", .data([1])),
        Row("property list", "com.apple.property-list", .data([1])),
        Row("preview alone", "public.jpeg", file, role: .preview),
        Row("text of its own", text: "a"), Row("nothing", text: ""), Row("nothing", text: nil),
    ]

    @Test(arguments: rows)
    func aClaimHasItsRow(_ row: Row) { #expect(ResolvePolicy.standard.rank([row.item]).map(\.rule) == [row.rule]) }

    @Test func everyRowHasACase() {
        let names = ResolvePolicy.standard.rows.map(\.name) + [ResolvePolicy.textAlone, ResolvePolicy.nothing]
        var seen: [String] = []
        for row in Self.rows where seen.last != row.rule { seen.append(row.rule) }
        #expect(seen == names, "the cases are in the order of the table")
    }

    /// The order of the items does not matter; the table decides.
    @Test func earlierRowsWin() {
        let ranked = ResolvePolicy.standard.rank(Self.rows.reversed().map(\.item))
        #expect(ranked.map(\.rule) == Self.rows.map(\.rule))
    }

    @Test func equalItemsKeepTheSendersOrderAfterTheRicherOnes() {
        let one = Row("link", nil, .link("https://a"))
        let two = ExtensionItem(attachments: one.attachments + one.attachments)
        #expect(ResolvePolicy.standard.rank([one.item, two, one.item, two]).map(\.index) == [1, 3, 0, 2])
    }
}

@Suite struct GroupPolicyTests {
    struct Member: Sendable {
        var type: String
        var name = "a"
        var form = Receipt.Form.file
        var role = ItemProvider.Role.content
        var group: String?
        /// The width and height of the picture, in pixels.
        var side: Int?
        var size = 10
    }

    struct Case: Sendable {
        var rules: [String]
        var groups: [[Int]]
        var members: [Member]

        init(_ rules: [String], _ groups: [[Int]], _ members: [Member]) {
            self.rules = rules
            self.groups = groups
            self.members = members
        }
    }

    private static let link = Member(type: "text/uri-list", form: .link)
    private static let photo = Member(type: "image/jpeg", name: "IMG_1.JPG", side: 4000)
    private static let movie = Member(type: "video/quicktime", name: "img_1.mov")
    private static let single = GroupPolicy.single

    static let cases = [
        Case(["live photo"], [[0, 1]], [photo, movie]), Case(["live photo"], [[1, 0]], [movie, photo]),
        // The first photo takes the movie, and the second one the sidecar that stands before it.
        Case(
            ["live photo", "sidecar"], [[1, 2], [3, 0]],
            [
                Member(type: "text/xml", name: "IMG_2.xmp"), photo, movie,
                Member(type: "image/jpeg", name: "img_2.jpg"),
            ]),
        // Two of the names are sidecars. One leads nothing, so it may follow.
        Case(
            ["sidecar"], [[1, 0]],
            [Member(type: "image/jpeg", name: "IMG_3.aae"), Member(type: "image/jpeg", name: "IMG_3.jpg")]),
        Case([single, single], [[0], [1]], [photo, Member(type: "video/quicktime", name: "IMG_2.mov")]),
        Case(["sidecar"], [[0, 1]], [photo, Member(type: "application/rdf+xml", name: "IMG_1.xmp")]),
        Case(["live photo, sidecar"], [[0, 1, 2]], [photo, movie, Member(type: "text/xml", name: "IMG_1.AAE")]),
        Case(["with a sidecar"], [[1, 0]], [Member(type: "application/json", role: .sidecar), photo]),
        Case(["with a preview"], [[0, 1]], [Member(type: "text/html"), Member(type: "image/png", role: .preview)]),
        Case(["link with its icon"], [[0, 1]], [link, Member(type: "image/png", side: 256)]),
        Case([single, single], [[0], [1]], [link, Member(type: "image/png", side: 257)]),
        Case([single, single], [[0], [1]], [link, Member(type: "image/png", side: nil)]),
        Case(["link with script results"], [[0, 1]], [link, Member(type: "application/x-bplist", form: .data)]),
        Case(["link with a caption"], [[1, 0]], [Member(type: "text/plain", form: .text), link]),
        Case([single, single], [[0], [1]], [link, Member(type: "text/plain", form: .file)]),
        Case([single, single], [[0], [1]], [link, Member(type: "text/plain", form: .text, size: 100_000)]),
        Case([single, single], [[0], [1]], [photo, Member(type: "image/jpeg", name: "IMG_1.JPG", side: 4000)]),
        Case(
            [GroupPolicy.declared, single], [[0, 2], [1]],
            [
                Member(type: "application/pdf", group: "g"), Member(type: "application/pdf"),
                Member(type: "application/pdf", group: "g"),
            ]),
        Case([single], [[0]], [Member(type: "application/pdf", group: "alone")]), Case([], [], []),
    ]

    @Test(arguments: cases)
    func membersFindTheirGroup(_ expected: Case) throws {
        let folder = try TestFolder()
        let area = try Container.open(at: folder["container"]).objects.makeStagingArea()
        let members = try expected.members.enumerated().compactMap { index, member in
            GroupMember(try Self.selection(index, member, in: area), limits: IngestLimits())
        }
        let groups = GroupPolicy.standard.groups(members)
        #expect(groups.map(\.rule) == expected.rules)
        #expect(groups.map { $0.members.map(\.0.index) } == expected.groups)
    }

    /// Each provider is tried as a lead and as a follower of each rule, and not with each other provider.
    @Test(arguments: [80, 2_000]) func theWorkGrowsWithTheProvidersAndNotWithTheirPairs(_ count: Int) throws {
        let folder = try TestFolder()
        let area = try Container.open(at: folder["container"]).objects.makeStagingArea()
        let types = [("image/jpeg", "jpg"), ("video/quicktime", "mov"), ("text/uri-list", "url"), ("text/xml", "xmp")]
        let members = try (0..<count).compactMap { index in
            let (type, ending) = types[index % types.count]
            let name = "\(String(repeating: "n", count: 100))\(index / types.count / 2).\(ending)"
            let member = Member(type: type, name: name, size: 0)
            return GroupMember(try Self.selection(index, member, in: area), limits: IngestLimits())
        }
        let calls = Mutex(0)
        let rules = GroupPolicy.standard.rules.map { rule in
            GroupPolicy.Rule(
                name: rule.name, learned: rule.learned, role: rule.role,
                lead: { member in
                    calls.withLock { $0 += 1 }
                    return rule.lead(member)
                },
                follower: { member in
                    calls.withLock { $0 += 1 }
                    return rule.follower(member)
                })
        }
        let groups = GroupPolicy(rules: rules).groups(members)
        #expect(groups.reduce(0) { $0 + $1.members.count } == count)
        #expect(groups.count(where: { $0.rule == "live photo, sidecar" }) == count / types.count / 2)
        #expect(calls.withLock { $0 } <= count * rules.count * 2)
    }

    private static func selection(_ index: Int, _ member: Member, in area: any StagingArea) throws -> ProviderSelection
    {
        let type = try #require(MediaType(member.type))
        let file = try area.makeFile()
        try [UInt8](repeating: 0, count: member.size).withUnsafeBytes { try file.append($0) }
        let attempt = Receipt.Attempt(representation: 0, form: member.form, declared: nil, outcome: .chosen, why: "")
        var story = Receipt.Provider(index: index, name: member.name, outcome: .stored, reason: "", tried: [attempt])
        story.type = type
        story.chosen = 0
        return ProviderSelection(
            story: story,
            content: StagedContent(
                object: file.finish(), identification: Identification(type: type, confidence: .likely, evidence: []),
                isBundle: false,
                imageSize: try member.side.flatMap {
                    try ImageSize(ContentBytes([UInt8](PNGHeader(width: $0, height: $0).fileWithoutPixels())))
                }),
            provider: ItemProvider(role: member.role, group: member.group, representations: []))
    }
}

@Suite struct RouterTests {
    private func sink(
        _ id: String, _ accepts: [String: Int], _ role: SinkManifest.Role = .primary
    ) -> InstalledSink {
        InstalledSink(
            manifest: .init(
                id: id, version: "1", command: [id],
                accepts: accepts.map { .init(type: $0.key, priority: $0.value == 0 ? nil : $0.value) },
                role: role),
            program: FilePath("/\(id)"))
    }

    private var router: Router {
        Router(
            registry: SinkRegistry(sinks: [
                sink("all", ["*/*": 9]), sink("images", ["image/*": 0]), sink("images-too", ["image/*": 0]),
                sink("jpeg", ["image/jpeg": 0]), sink("jpeg-first", ["image/jpeg": 2, "*/*": 5]),
                sink("zip", ["application/zip": 0]), sink("text", ["text/plain": 0]),
                sink("seer", ["image/*": 0, "application/pdf": 0], .also), sink("other-seer", ["image/png": 0], .also),
            ]))
    }

    @Test(arguments: [
        // The order is: the exact type, its supertypes, its family, anything; then priority; then order.
        ("image/jpeg", ["jpeg-first", "seer"]), ("image/png", ["images", "seer", "other-seer"]),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", ["zip"]),
        ("text/plain", ["text"]), ("text/x-python", ["text"]), ("application/pdf", ["all", "seer"]),
        ("video/mp4", ["all"]), ("application/octet-stream", ["all"]),
    ])
    func aTypeFindsItsSinks(_ type: String, _ sinks: [String]) throws {
        #expect(router.sinks(for: try #require(MediaType(type))).map(\.id) == sinks)
    }

    @Test func aTypeWithoutASinkIsRoutedNowhere() throws {
        let router = Router(registry: SinkRegistry(sinks: [sink("images", ["image/*": 0])]))
        #expect(router.sinks(for: .plainText).isEmpty)
    }
}
