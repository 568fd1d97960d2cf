internal import ShareModel

/// What a delivery needs of its package's receipt: a tenth of it, which is read in less time than the whole.
struct DeliveredPackage: Decodable {
    struct Item: Decodable {
        let title: String?
        let text: String?
    }

    struct Provider: Decodable {
        let index: Int
        let name: String
        let type: MediaType?
        let sha256: Digest?
        let size: Int64?
    }

    struct Group: Decodable {
        let providers: [Int]
    }

    let item: Item?
    let providers: [Provider]
    let groups: [Group]

    /// The provider of a place, where it stands as a rule.
    func provider(at place: Int) -> Provider? {
        if providers.indices.contains(place), providers[place].index == place { return providers[place] }
        return providers.first { $0.index == place }
    }

    /// Whether the only provider is the item's own text.
    var isTextAlone: Bool {
        guard providers.count == 1, let text = item?.text, let digest = providers[0].sha256 else { return false }
        return digest == Digest(of: text) || digest == Digest(of: text.trimmed)
    }
}
