internal import GroupContainer
internal import ShareModel

// About the memory that values hold, in bytes; rather too much than too little. Each value has parts besides its text.

extension SharePackage {
    /// The texts, the names and the inline data of the package.
    var memory: Int {
        items.reduce(512 + (id?.utf8.count ?? 0)) { sum, item in
            item.attachments.reduce(sum + 256 + (item.title?.utf8.count ?? 0) + (item.text?.utf8.count ?? 0)) {
                $0 + $1.memory
            }
        }
    }
}

extension ItemProvider {
    fileprivate var memory: Int {
        representations.reduce(256 + (suggestedName?.utf8.count ?? 0) + (group?.utf8.count ?? 0)) {
            $0 + 128 + ($1.declaredType?.utf8.count ?? 0) + $1.content.memory
        }
    }
}

extension Representation.Content {
    fileprivate var memory: Int {
        switch self {
        case .data(let bytes): bytes.count
        case .text(let text), .link(let text), .file(.url(let text)): text.utf8.count
        case .file(.path(let path)): path.length
        case .part(let part): part.path.length
        }
    }
}

extension Intake {
    /// The receipt with the metadata of its deliveries, and the texts for the catalog.
    var memory: Int { receipt.memory + (proposal?.text?.utf8.count ?? 0) + 256 * (proposal?.deliveries.count ?? 0) }
}

extension Receipt {
    fileprivate var memory: Int {
        let items = ([item].compactMap(\.self) + alternatives).reduce(0) {
            $0 + 256 + ($1.title?.utf8.count ?? 0) + ($1.text?.utf8.count ?? 0)
        }
        return providers.reduce(1_024 + items + source.path.utf8.count) { sum, provider in
            let deliveries = provider.deliveries.reduce(0) { $0 + $1.memory }
            return sum + 1_024 + provider.name.utf8.count + 256 * provider.tried.count + deliveries
        }
    }
}
