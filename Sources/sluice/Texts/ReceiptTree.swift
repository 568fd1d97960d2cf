import ShareModel
import SystemPackage

/// A whole receipt as a tree: the item, and for each provider the attempts, the evidence, the choice and the
/// deliveries.
struct ReceiptTree {
    let receipt: Receipt
    /// Whether the receipt is a plan: nothing was stored, and a pending delivery is one that a real run would make.
    var isPlan = false
    /// See ``SummaryText/containerOption``.
    let containerOption: StyledLine
    /// The path of an object's file; `nil` where it is of no use to a person.
    var path: (Digest) -> String? = { _ in nil }
    var thumbnails = Thumbnails()

    var lines: [StyledLine] {
        let size = receipt.present.isEmpty ? "" : " · \(Units.bytes(receipt.bytes))"
        let head: StyledLine =
            "\(name: receipt.name, .strong)  \(receipt.outcome.rawValue, receipt.outcome.style)\(size)"
        let about = facts + items
        return Tree(head, about + receipt.providers.map(provider) + warnings(receipt.warnings)).lines
    }

    private var facts: [Tree] {
        var facts: [Tree] = [Tree("\("package", .dim)  \(receipt.id) · \(Self.kind(receipt.source.kind))")]
        if receipt.source.kind != .standardInput {
            facts.append(Tree("\("source", .dim)  \(receipt.source.text)\(bag(.source))"))
        }
        if let reason = receipt.reason {
            let option: StyledLine = reason == Receipt.unchangedReason ? "; --reread reads it anyway" : ""
            facts.append(Tree("\("why", .dim)  \(receipt.source.shortened(reason), receipt.outcome.style)\(option)"))
        }
        if let earlier = receipt.duplicateOf { facts.append(Tree("\("duplicate of", .dim)  \(earlier)")) }
        if let earlier = receipt.supersedes {
            facts.append(Tree("\("replaces", .dim)  \(earlier)\(bag(.supersedes))"))
        }
        if let later = receipt.supersededBy {
            facts.append(Tree("\("replaced by", .dim)  \(later)\(bag(.supersededBy))"))
        }
        if let received = receipt.received {
            facts.append(Tree("\("received", .dim)  \(LocalTime.second(received))\(bag(.received))"))
        }
        if let tags = receipt.tags {
            facts.append(Tree("\("tags", .dim)  \(tags.joined(separator: ", "))"))
        }
        return facts + kept + sightings
    }

    /// The bytes of an input that failed, with the command that copies them out of the container.
    ///
    /// Each copy has a name of its own: it may only be read, as its object, so no other one can be written over it.
    private var kept: [Tree] {
        let there = (receipt.kept ?? []).compactMap { kept in kept.path.map { (size: kept.size, path: $0) } }
        return there.enumerated().map { place, kept in
            let name = "kept-\(ShortID.of(receipt.id))\(place == 0 ? "" : "-\(place + 1)")"
            let paths = [kept.path, name].map { ShellQuote.quote(FilePath($0)) }
            let copy = StyledLine("cp \(paths.joined(separator: " "))", .plain)
            return Tree("\("kept", .dim)  \(Units.bytes(kept.size)) of the input", [Tree("\(command: copy)")])
        }
    }

    /// The mark of a value that only a bag says.
    private func bag(_ claim: Receipt.BagClaim) -> StyledLine {
        receipt.unconfirmed?.contains(claim) ?? false ? Self.bag : ""
    }

    private static let bag: StyledLine = "\(" — so says the bag", .warning)"

    /// The later arrivals of the package, the newest last.
    private var sightings: [Tree] {
        guard let sightings = receipt.sightings else { return [] }
        var lines = sightings.map { sighting -> Tree in
            let names: StyledLine = sighting.names.map { " as \(name: $0.joined(separator: ", "))" } ?? ""
            let time: StyledLine = sighting.modified.map { ", modified \(LocalTime.second($0))" } ?? ""
            return Tree("\(sighting.source.text)\(names)\(time), received \(LocalTime.second(sighting.received))")
        }
        if let more = receipt.moreSightings { lines.insert(Tree("\(Units.count(more, "earlier one"))"), at: 0) }
        return [Tree("\("seen again", .dim)", lines)]
    }

    private var items: [Tree] {
        // The only item of a plain file says nothing: it is the file.
        if receipt.source.kind == .file, receipt.alternatives.isEmpty, receipt.item?.text == nil { return [] }
        let chosen = receipt.item.map { [item($0, word: "item", isChosen: true)] } ?? []
        return chosen + receipt.alternatives.map { item($0, word: "alternative", isChosen: false) }
    }

    private func item(_ item: Receipt.Item, word: String, isChosen: Bool) -> Tree {
        let title: StyledLine = item.title.map { "  “\(name: $0)”" } ?? ""
        var children = [Tree("\("rule", .dim)  \(item.rule): \(item.why)")]
        if let text = item.text { children.append(Tree("\("text", .dim)  \(name: text)")) }
        let head: StyledLine = "\(word, isChosen ? .strong : .dim) \(item.index + 1)\(title)"
        return Tree(head, children)
    }

    private func provider(_ provider: Receipt.Provider) -> Tree {
        let style: StyledLine.Style = provider.outcome == .failed ? .bad : .good
        var head: StyledLine = "\("provider", .strong) \(provider.index + 1)  \(name: provider.name)"
        // A plan stores nothing, so it must not say "stored".
        let showsOutcome = !(isPlan && provider.outcome == .stored)
        if showsOutcome { head += "  \(provider.outcome.rawValue, style)" }
        var children: [Tree] = []
        if let suggested = provider.suggestedName, suggested != provider.name {
            children.append(Tree("\("suggested name", .dim)  \(name: suggested)"))
        }
        children += provider.tried.map(attempt)
        children += evidence(provider) + warnings(provider.warnings)
        // The only representation needs no reason.
        if provider.chosen == nil || provider.tried.count != 1 {
            children.append(Tree("\(provider.chosen == nil ? "none chosen" : "choice", .dim)  \(provider.reason)"))
        }
        return Tree(head, children + group(provider) + provider.deliveries.map { delivery($0, of: provider) })
    }

    private func attempt(_ attempt: Receipt.Attempt) -> Tree {
        let (mark, style): (String, StyledLine.Style) =
            switch attempt.outcome {
            case .chosen: ("✓", .good)
            case .failed: ("✗", .bad)
            case .contradicted: ("≠", .warning)
            case .passed: ("·", .dim)
            }
        let declared: StyledLine = attempt.declared.map { "declared \(name: $0)" } ?? "nothing declared"
        return Tree(
            "\(mark, style) \(attempt.form.rawValue), \(declared): \(attempt.outcome.rawValue, style) — \(attempt.why)")
    }

    private func evidence(_ provider: Receipt.Provider) -> [Tree] {
        guard let type = provider.type else { return [] }
        let size = provider.size.map { " · \(Units.bytes($0))" } ?? ""
        var lines = [Tree("\("is", .dim)  \(type.description, .strong)\(size)", provider.basis.map { Tree("\($0)") })]
        if let digest = provider.sha256 {
            lines.append(Tree("\("sha256", .dim)  \(digest.description)"))
            lines += file(digest)
        }
        // A plan repeats what the user can see in the folder.
        if !isPlan, let modified = provider.modified {
            lines.append(Tree("\("modified", .dim)  \(LocalTime.second(modified))"))
        }
        return lines
    }

    /// The file of an object, as a line that a person can copy.
    private func file(_ digest: Digest) -> [Tree] {
        // As a literal, because interpolation would cut a long path short.
        path(digest).map { [Tree("\("file", .dim)  \(command: StyledLine(stringLiteral: $0))")] } ?? []
    }

    /// The group, unless the provider is its only member.
    private func group(_ provider: Receipt.Provider) -> [Tree] {
        guard let index = provider.group, receipt.groups.indices.contains(index) else { return [] }
        let group = receipt.groups[index]
        guard group.providers.count > 1 else { return [] }
        let others = group.providers.filter { $0 != provider.index }.map { index in
            receipt.providers.first { $0.index == index }?.name ?? "provider \(index + 1)"
        }
        let relation = group.providers.first == provider.index ? "leads" : "belongs to"
        return [Tree("\("group", .dim)  \(group.rule): \(relation) \(others.joined(separator: ", "))")]
    }

    private func delivery(_ delivery: DeliveryRecord, of provider: Receipt.Provider) -> Tree {
        let isPlanned = isPlan && delivery.outcome == .pending
        var head: StyledLine = "→ \(delivery.sink, .strong)"
        if !isPlanned {
            head += "  \(delivery.outcome.rawValue, delivery.outcome.style)"
            head += delivery.id.isEmpty ? "" : "  \(ShortID.of(delivery.id), .dim)"
            if delivery.isUnconfirmed == true { head += Self.bag }
        }
        var children: [Tree] = []
        let why = RemedyText.sentence(
            delivery.why ?? "", endingIn: .dismissDeliveries(sink: delivery.sink), containerOption: containerOption)
        children += WhyText.lines(why, containerOption).map { Tree("\($0)") }
        if delivery.attempts > 1 { children.append(Tree("\(Units.count(delivery.attempts, "attempt"))")) }
        if let due = delivery.due {
            let command: StyledLine = "\(command: "sluice deliver\(containerOption)")"
            children.append(Tree("\("next try", .dim)  from \(LocalTime.second(due)) on, or by \(command)"))
        }
        children += MetadataText.lines(delivery.metadata).map { Tree($0) }
        children += delivery.products.map { product in
            var tree = Tree(
                "\(product.role, .dim)  \(product.name) · \(product.type.description) · \(Units.bytes(product.size))",
                file(product.sha256))
            switch thumbnails[part: provider.index + 1, product.sha256] {
            case .shown(let picture): tree.picture = picture
            case .notShown(let why): tree.children.append(Tree("\("not shown", .dim)  \(why)"))
            case nil: break
            }
            return tree
        }
        return Tree(head, children)
    }

    private func warnings(_ warnings: [String]) -> [Tree] {
        warnings.map { warning in
            let sentence = RemedyText.sentence(warning, endingIn: .retryDelivery, containerOption: containerOption)
            return Tree("\("!", .warning) \(sentence)")
        }
    }

    private static func kind(_ kind: PackageSource.Kind) -> String {
        switch kind {
        case .file: "a file"
        case .share: "a share folder"
        case .bundle: "a folder that is one document"
        case .container: "a file that contains others"
        case .group: "files of a folder that belong together"
        case .link: "a web address"
        case .submitted: "a package that was handed in"
        case .standardInput: "standard input"
        case .other: "no package"
        }
    }
}

/// A sink's metadata, one line for each key, sorted by key.
enum MetadataText {
    static func lines(_ metadata: JSONValue?) -> [StyledLine] {
        guard let metadata, metadata != .null else { return [] }
        guard case .object(let entries) = metadata else { return ["\(name: text(metadata))"] }
        return entries.sorted { $0.key < $1.key }.map { "\(name: $0.key, .dim)  \(name: text($0.value))" }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .null: "none"
        case .bool(let value): value ? "yes" : "no"
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .string(let value): value
        case .array(let values): values.map(text).joined(separator: ", ")
        case .object(let entries):
            entries.sorted { $0.key < $1.key }.map { "\($0.key) \(text($0.value))" }.joined(separator: ", ")
        }
    }
}
