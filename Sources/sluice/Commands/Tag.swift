import ArgumentParser
import ContainerTools
import GroupContainer
import ShareModel

/// `sluice tag`: adds tags to packages, removes and lists them.
struct TagCommand: ContainerCommand {
    static let configuration = CommandConfiguration(
        commandName: "tag",
        abstract: "Add tags to packages, remove and list them.",
        discussion: """
              sluice tag 4f3a +taxes -draft    adds one tag and removes another
              sluice tag 4f3a                  prints the tags of a package
              sluice tag                       lists all tags

            A tag has letters, digits, '-' and '_', and at most \(PackageTag.byteLimit) bytes; case does not matter. A \
            package has at most \(PackageTag.packageLimit) tags. 'sluice search tag:taxes' and 'sluice list \
            --tag taxes' find packages by them.
            """)

    @Argument(
        help: ArgumentHelp(
            "The id of a package, enough of its beginning, or its number in the last list; a tag to add; a tag to remove. "
                + "Each repeatable.",
            valueName: "id|+word|-word"))
    var words: [String] = []

    @OptionGroup var container: ContainerOption

    @Flag(help: "Print a JSON object a line.")
    var json = false

    /// What the arguments ask for.
    private struct Request {
        var ids: [String] = []
        var change = TagChange()

        init(_ words: [String]) throws {
            for word in words {
                switch word.first {
                case "+": change.adding.append(try TagArgument.parse(String(word.dropFirst())))
                case "-": change.removing.append(try TagArgument.parse(String(word.dropFirst())))
                default: ids.append(try PackageID.parse(word))
                }
            }
            if let both = change.adding.first(where: change.removing.contains) {
                throw ValidationError("'\(both.word)' is to be added and to be removed; leave one of them out.")
            }
            if ids.isEmpty, !change.isEmpty {
                throw ValidationError(
                    "Name the packages, as in: sluice tag ID +\((change.adding + change.removing)[0].word)")
            }
        }
    }

    func validate() throws { _ = try Request(words) }

    func run() async throws {
        let console = Console()
        let location = try container.location()
        var request = try Request(words)
        request.ids = try ResultNumbers.ids(of: request.ids, in: location)
        if request.ids.isEmpty {
            try list(CatalogReader(reading: location).tags(), console)
        } else if request.change.isEmpty {
            try print(CatalogReader(reading: location).tags(of: request.ids), console)
        } else {
            try print(await ContainerMaintenance.tag(location, request.ids, request.change), console)
        }
        try console.finish()
    }

    private func print(_ packages: [TaggedPackage], _ console: Console) throws {
        for package in packages {
            if json {
                try console.print(json: ["tagged": package])
            } else {
                let tags: StyledLine =
                    package.tags.isEmpty ? "\("no tags", .dim)" : "\(package.tags.joined(separator: ", "))"
                console.print("\(ShortID.of(package.id), .dim)  \(name: package.name)  \(tags)")
            }
        }
    }

    private func list(_ tags: [TagCount], _ console: Console) throws {
        let width = tags.map { DisplayWidth.of($0.tag) }.max() ?? 0
        for tag in tags {
            if json {
                try console.print(json: ["tag": tag], flushing: false)
            } else {
                let word: StyledLine = "\(tag.tag)"
                console.print("\(word.padded(to: width))  \(Units.count(tag.packages, "package"))", flushing: false)
            }
        }
        if tags.isEmpty, !json { console.say("no package has a tag") }
    }
}
