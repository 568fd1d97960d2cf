import GroupContainer
import ShareModel
import SystemPackage
import Testing

/// Runs `sluice tag` and `sluice ingest --tag` as a user does.
@Suite struct TagTests {
    private let folder: TestFolder
    private var program: Program { Program(container: folder["container"]) }

    init() throws {
        folder = try TestFolder()
        for name in ["1", "2", "3"] { try folder.write("in/\(name).txt", "text \(name)") }
    }

    /// The identifiers of the packages, in the order of their names.
    private func takeIn(_ options: String...) throws -> [String] {
        try program.ingest(folder["in"], options: ["--no-deliver"] + options).receipts.map(\.packageID)
    }

    private func tag(_ arguments: String...) throws -> [[String]] {
        let end = try program.run(["tag", "--json"] + arguments)
        #expect(end.status == 0, "\(end.errors)")
        return try end.messages.compactMap(\.tagged?.tags)
    }

    private func counts() throws -> [TagCount] { try program.run(["tag", "--json"]).messages.compactMap(\.tag) }

    private func kinds() throws -> [Substring] {
        try program.run(["changes"]).output.split(separator: "\n").map { $0.split(separator: " ")[1] }
    }

    @Test func tagsAreAddedRemovedAndListed() throws {
        let ids = try takeIn()
        #expect(try tag().isEmpty && counts().isEmpty)
        #expect(
            try tag(ids[0], "+taxes", String(ids[1].prefix(8)), "+To-Read") == [
                ["taxes", "To-Read"], ["taxes", "To-Read"],
            ])
        #expect(try tag(ids[1], "-to-read", "+Garten_2024", "+Übung") == [["Garten_2024", "taxes", "Übung"]])
        #expect(try tag(ids[0], ids[2]) == [["taxes", "To-Read"], []])
        #expect(
            try counts() == [
                TagCount(tag: "Garten_2024", packages: 1), TagCount(tag: "taxes", packages: 2),
                TagCount(tag: "To-Read", packages: 1), TagCount(tag: "Übung", packages: 1),
            ])
        #expect(try program.run(["tag"]).output.hasPrefix("Garten_2024  1 package\ntaxes        2 packages\n"))
        #expect(try program.run(["tag", ids[2]]).output == "\(ids[2].prefix(12))  3.txt  no tags\n")
        #expect(try program.run(["tag", ids[0]]).output == "\(ids[0].prefix(12))  1.txt  taxes, To-Read\n")
    }

    @Test func everyCommandKnowsThem() throws {
        let ids = try takeIn()
        _ = try tag(ids[1], "+taxes", "+to-read")
        #expect(try program.run(["show", "--json", ids[1]]).receipt.tags == ["taxes", "to-read"])
        #expect(try program.run(["show", ids[1]]).output.contains("tags  taxes, to-read\n"))
        #expect(try program.run(["show", "--json", ids[0]]).receipt.tags == nil)
        let listed = try program.run(["list", "--json", "--tag", "TAXES"]).messages.compactMap(\.package)
        #expect(listed.map(\.id) == [ids[1]] && listed.map(\.tags) == [["taxes", "to-read"]])
        #expect(try program.run(["list"]).output.contains("2.txt  #taxes #to-read\n"))
        #expect(try program.run(["list", "--tag", "other"]).errors.contains("no package has the tag other"))
        for word in ["tag:taxes", "tag:to-read", "to-read"] {
            let found = try program.run(["search", "--json", word]).messages.compactMap(\.package)
            #expect(found.map(\.id) == [ids[1]] && found.map(\.tags) == [["taxes", "to-read"]])
        }
        _ = try tag(ids[1], "-taxes")
        #expect(try program.run(["search", "tag:taxes"]).status == 1)
        #expect(try program.run(["list", "--json", "--tag", "taxes"]).output.isEmpty)
    }

    @Test func theSameTagsAgainWriteNothing() throws {
        let ids = try takeIn()
        _ = try tag(ids[0], ids[1], "+taxes")
        #expect(try kinds() == ["package", "package", "package", "tagged", "tagged"])
        let change = try #require(
            try program.run(["changes", "--json", "--since", "3"]).output.split(separator: "\n").first)
        #expect(change.contains(#""id":"\#(ids[0])","kind":"tagged""#) && change.contains(#""outcome":"accepted""#))
        #expect(try tag(ids[0], "+TAXES", "-other") == [["taxes"]])
        #expect(try kinds().count == 5)
    }

    /// A delivery names its package, and several beginnings may name one.
    @Test func deliveriesNameTheirPackages() throws {
        let ids = try takeIn()
        let delivery = try #require(try program.run(["show", "--json", ids[0]]).receipt.providers[0].deliveries.first)
        #expect(try tag(delivery.id, ids[0], String(ids[0].prefix(10)), "+one") == [["one"]])
        #expect(try kinds().filter { $0 == "tagged" }.count == 1)
    }

    @Test(arguments: [
        ["+two words"], ["+"], ["-"], ["+-x"], ["+_x"], ["+a,b"], ["+a\u{7}"], ["+a\u{202E}b"], ["+a\u{200B}"],
        ["+\(String(repeating: "ü", count: 33))"], ["+a", "-A"], ["xyz"],
    ])
    func wrongArgumentsAreUsageErrors(_ words: [String]) throws {
        let ids = try takeIn()
        let end = try program.run(["tag", ids[0]] + words)
        #expect(end.status == 64 && end.output.isEmpty && !end.errors.contains("\u{202E}"), "\(end.errors)")
        #expect(try counts().isEmpty)
    }

    @Test func noPackageOrAnUnknownOneIsAnError() throws {
        let ids = try takeIn()
        #expect(try program.run(["tag", "+taxes"]).status == 64)
        #expect(try program.run(["tag", ids[0], "ffffffffffff", "+taxes"]).status == 1)
        #expect(try program.run(["tag", "ffffffffffff"]).status == 1)
        #expect(try counts().isEmpty, "nothing is changed")
    }

    @Test func aPackageHasAtMostAHundredTags() throws {
        let ids = try takeIn()
        let most = (1...PackageTag.packageLimit).map { "+n\($0)" }
        #expect(try program.run(["tag", ids[1]] + most).status == 0)
        let end = try program.run(["tag", ids[0], ids[1], "+more"])
        #expect(
            end.status == 64 && end.errors.contains("\(ids[1].prefix(12)) would have more than 100 tags"),
            "\(end.errors)")
        #expect(try tag(ids[0]) == [[]], "nothing is changed")
        #expect(try tag(ids[1], "-n1", "+more")[0].count == PackageTag.packageLimit)
        let again = try program.ingest(folder["in"], options: ["--no-deliver", "--tag", "extra"])
        #expect(try again.receipts[1].warnings.contains { $0.contains("did not get: extra") })
        #expect(try counts().first { $0.tag == "extra" }?.packages == 2)
    }

    @Test func anIngestGivesTags() throws {
        let ids = try takeIn("--tag", "Trip", "--tag", "2024")
        #expect(try kinds() == ["package", "package", "package"], "they are new with their tags")
        #expect(try tag(ids[0], ids[2]) == [["2024", "Trip"], ["2024", "Trip"]])
        // The files have not changed, and the run has a tag more.
        try folder.write("in/4.txt", "text 4")
        #expect(try takeIn("--tag", "again", "--tag", "trip").count == 4)
        #expect(try tag(ids[0]) == [["2024", "again", "Trip"]])
        let (changes, count) = (try program.run(["changes"]).output, try counts())
        #expect(count.map(\.packages) == [3, 4, 4])
        #expect(try takeIn("--tag", "again") == takeIn() && program.run(["changes"]).output == changes)
        _ = try takeIn("--dry-run", "--tag", "planned")
        #expect(try program.run(["changes"]).output == changes && counts() == count)
        #expect(try program.run(["ingest", "--tag", "two words", folder["in"].string]).status == 64)
    }

    /// A person tags the file, not one version of it.
    @Test func aNewVersionGetsTheTagsOfTheOldOne() throws {
        let old = try takeIn("--tag", "Trip")[0]
        try folder.write("in/1.txt", "text 1, changed")
        let new = try takeIn("--tag", "again", "--tag", "trip")[0]
        #expect(try new != old && tag(new, old) == [["again", "trip"], ["Trip"]])
        #expect(
            try kinds().filter { $0 == "tagged" }.count == 2, "it is new with its tags; the two other files got one")
        // The earlier content is current again, and a word that was removed meanwhile does not come back.
        _ = try tag(new, "-again", "+late")
        try folder.write("in/1.txt", "text 1")
        #expect(try takeIn()[0] == old && tag(old, new) == [["late", "Trip"], ["late", "trip"]])
        _ = try tag(old, "-late")
        #expect(try takeIn()[0] == old && tag(old) == [["Trip"]])
    }

    @Test func failedAndUnreadableInputsHaveTagsToo() throws {
        try folder.write("bad.share/share.json", "no JSON")
        for word in ["one", "two"] {
            #expect(try program.ingest(folder["bad.share"], options: ["--tag", word]).status == 1)
        }
        #expect(try counts().map(\.tag) == ["one", "two"])
    }

    @Test func aVerificationFindsWordsThatAreNoTags() throws {
        let ids = try takeIn("--tag", "sound")
        try SQL.run(folder["container"], "INSERT INTO tag SELECT seq, 'two words' FROM package WHERE id = '\(ids[0])'")
        #expect(try tag(ids[0]) == [["sound"]], "it is left out")
        let end = try program.run(["verify", "--json"])
        #expect(end.status == 1)
        let finding = try #require(try end.messages.compactMap(\.finding).first)
        #expect(finding.what.contains("'tag'") && finding.packages.map(\.id) == [ids[0]])
    }

    /// The same letters in two normal forms of Unicode are one tag.
    @Test func aTagIsInNormalFormC() throws {
        let tag = try #require(PackageTag("U\u{308}bung"))
        #expect(Array(tag.word.utf8) == Array("\u{DC}bung".utf8))
        #expect(tag == PackageTag("\u{FC}BUNG") && tag.hashValue == PackageTag("\u{FC}BUNG")?.hashValue)
        #expect(PackageTag(String(repeating: "x", count: PackageTag.byteLimit)) != nil)
        #expect(PackageTag(String(repeating: "x", count: PackageTag.byteLimit + 1)) == nil)
        for word in ["東京", "हिन्दी", "ไทย", "x2", "²"] { #expect(PackageTag(word) != nil, "\(word)") }
        for word in ["", "\u{301}a", "a\u{FE0F}", "\u{3164}", "a\u{0}", "🏠", "a/b", "#a"] {
            #expect(PackageTag(word) == nil)
        }
    }
}
