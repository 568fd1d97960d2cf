internal import ShareModel

/// The readers of a run, in the order in which they see an input.
package struct Readers: Sendable {
    /// To add a reader, write it in a folder of its own beside `Files/`, and add it here before ``FileReader``, which
    /// takes every file. A reader that goes by a name comes before one that opens the input.
    package static let standard = Readers([ShareReader(), BagReader(), BundleReader(), GroupReader(), FileReader()])

    private let list: [any Reader]
    /// The readers that can also open a container inside of another one.
    let containers: [any ContainerReader]

    /// The readers in this order. Two readers of one name are a programming error and end the process.
    package init(_ list: [any Reader]) {
        precondition(Set(list.map(\.name)).count == list.count, "two readers have the same name")
        self.list = list
        containers = list.compactMap { $0.asContainerReader }
    }

    /// The result of the first reader that knows the input; `nil` if none knows it.
    func read(_ input: NamedInput, limits: ReadingLimits, settles: Bool = false) throws(ReaderFailure) -> ReaderResult?
    {
        let context = ReadingContext(limits: limits, readers: self, settles: settles)
        for reader in list {
            do throws(ReadingError) {
                if let result = try reader.read(input, context) { return result }
            } catch {
                throw ReaderFailure(kind: reader.kind, error: error)
            }
        }
        return nil
    }
}

/// The error of a reader that knows an input and cannot read it.
struct ReaderFailure: Error {
    let kind: PackageSource.Kind
    let error: ReadingError
}
