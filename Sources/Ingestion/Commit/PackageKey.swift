internal import GroupContainer
internal import ShareModel

/// What makes two packages, or two deliveries, the same.
enum PackageKey {
    /// A package's identifier: of the sender's own `id`, if there is one, and of what is in it.
    ///
    /// The sender's `id` alone would do for a well-behaved sender. With the content in it, another content under an old
    /// `id` is not lost as a duplicate, but supersedes what came before.
    ///
    /// - Parameter contents: a digest for each provider, `nil` for one that could not be had: a package that is whole is
    ///   another one than the same package in part, and takes its place.
    static func identifier(senderID: String?, item: ExtensionItem, contents: [Digest?]) -> String {
        identifier(
            ["package", senderID ?? "", item.title ?? "", item.text ?? ""] + contents.map { $0?.description ?? "" })
    }

    /// The identifier of an input that failed as a whole: the same one each time that it does.
    static func failure(_ source: PackageSource, original: [UInt8]?) -> String {
        let name = original.map { Digest(of: $0) } ?? Digest(of: source.path.bytes)
        return identifier(["failure", source.kind.rawValue, name.description])
    }

    /// A delivery's key: the sink's and its group's.
    static func delivery(sink: String, parts: [Digest]) -> String {
        identifier(["delivery", sink] + parts.map(\.description))
    }

    /// A delivery's identifier: the key says what, this one says for which group of which package.
    static func deliveryIdentifier(package: String, lead: Int, key: String) -> String {
        identifier(["delivery of", package, String(lead), key])
    }

    /// 128 bits of the SHA-256 over the fields, each with its length before it, as 32 hexadecimal digits.
    private static func identifier(_ fields: [String]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(fields.reduce(0) { $0 + $1.utf8.count + 8 })
        for (place, field) in fields.enumerated() {
            if place > 0 { text.append(UInt8(ascii: ",")) }
            text.append(contentsOf: String(field.utf8.count).utf8)
            text.append(UInt8(ascii: ":"))
            text.append(contentsOf: field.utf8)
        }
        return Digest(of: text).digits(32)
    }
}
