internal import ShareModel

/// Goes through a package's items, best first. One is chosen; the receipt lists the others as alternatives.
struct Resolution {
    private var rest: ArraySlice<ResolvePolicy.Ranked>
    private var passed: [Receipt.Item] = []
    private(set) var chosen: Receipt.Item?
    /// The providers of the best item, if it could not be used. The receipt of a failed package lists them.
    private(set) var failures: [Receipt.Provider] = []

    init(ranked: [ResolvePolicy.Ranked]) { rest = ranked[...] }

    /// Whether the package has no item at all.
    var isEmpty: Bool { rest.isEmpty && passed.isEmpty && chosen == nil }

    mutating func next() -> ResolvePolicy.Ranked? { rest.popFirst() }

    /// - Parameter item: the chosen item with the words that its package has.
    mutating func choose(_ ranked: ResolvePolicy.Ranked, as item: ExtensionItem) {
        let why =
            if !passed.isEmpty {
                "the best of the other items, after \(passed.count) without a usable provider"
            } else {
                rest.isEmpty ? "the only item" : "ranked first of \(rest.count + 1)"
            }
        chosen = Receipt.Item(index: ranked.index, title: item.title, text: item.text, rule: ranked.rule, why: why)
    }

    mutating func passOver(_ ranked: ResolvePolicy.Ranked, _ selections: [ProviderSelection]) {
        if passed.isEmpty { failures = selections.map(\.story) }
        let why = selections.isEmpty ? "it is empty" : "none of its providers could be used"
        passed.append(Receipt.Item(ranked, why: why))
    }

    /// The items that were not chosen, best first.
    var alternatives: [Receipt.Item] {
        passed + rest.map { Receipt.Item($0, why: "another description of the same resource") }
    }
}

extension Receipt.Item {
    fileprivate init(_ ranked: ResolvePolicy.Ranked, why: String) {
        self.init(index: ranked.index, title: ranked.item.title, text: ranked.item.text, rule: ranked.rule, why: why)
    }
}
