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
    /// The receipt with the metadata of its deliveries.
    var memory: Int {
        receipt.memory + 256 * (proposal?.deliveries.count ?? 0) + (proposal?.history?.memory ?? 0)
    }
}

extension PackageHistory {
    /// The sightings, and the deliveries with their metadata.
    fileprivate var memory: Int {
        let arrivals = sightings.reduce(0) { sum, sighting in
            sighting.names.reduce(sum + 256 + sighting.path.length) { $0 + 32 + $1.utf8.count }
        }
        return deliveries.reduce(arrivals) { $0 + 256 + $1.record.memory }
    }
}

extension Receipt {
    fileprivate var memory: Int {
        let items = ([item].compactMap(\.self) + alternatives).reduce(0) {
            $0 + 256 + ($1.title?.utf8.count ?? 0) + ($1.text?.utf8.count ?? 0) + $1.rule.utf8.count + $1.why.utf8.count
        }
        let groups = groups.reduce(0) { $0 + 32 + $1.rule.utf8.count + 8 * $1.providers.count }
        let own = 1_024 + source.path.utf8.count + (reason?.utf8.count ?? 0) + Self.memory(of: warnings)
        return providers.reduce(own + items + groups) { $0 + $1.memory }
    }

    // A receipt from a bag may have texts of any length in every place.
    fileprivate static func memory(of texts: [String]) -> Int { texts.reduce(0) { $0 + 16 + $1.utf8.count } }
}

extension Receipt.Provider {
    fileprivate var memory: Int {
        let texts = [name, suggestedName ?? "", reason] + basis + warnings
        let attempts = tried.reduce(0) { $0 + 256 + $1.why.utf8.count + ($1.declared?.utf8.count ?? 0) }
        return deliveries.reduce(1_024 + Receipt.memory(of: texts) + attempts) { $0 + $1.memory }
    }
}
