internal import GroupContainer
internal import Reading
internal import ShareModel

extension [HandedInput] {
    /// The words that a person gave the packages of sources that must be read, by the places of the inputs.
    ///
    /// - Parameter known: for each input, its receipt if it need not be read. It may be empty.
    func givenWords(in catalog: any Catalog, besides known: [Receipt?]) throws -> [Int: GivenWords] {
        let sources = enumerated().compactMap { place, input -> (place: Int, source: PackageSource)? in
            let isKnown = place < known.count && known[place] != nil
            // A bag's record has the words.
            guard !isKnown, case .package(let package, _) = input.input, package.source.kind.isWordless,
                package.source.bag == nil
            else { return nil }
            return (place, package.source)
        }
        let words = try catalog.givenWords(of: sources.map(\.source))
        return Dictionary(
            uniqueKeysWithValues: zip(sources, words).compactMap { source, words in words.map { (source.place, $0) } })
    }
}
