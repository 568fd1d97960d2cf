internal import ShareModel

/// The aliases and subtype relations of all types, computed in advance.
struct TypeGraph: Sendable {
    private let names: TypeNames
    /// The preferred name for each name.
    private let preferred: [Int]
    /// For each preferred name, its ancestors, without itself and without `application/octet-stream`.
    private let ancestors: [[Int]]

    /// The largest number of ancestors of a type.
    private static let ancestorLimit = 256
    /// The largest number of names in a chain of aliases.
    private static let chainLimit = 4

    /// - Parameters:
    ///   - aliases: for each name, the name that is preferred to it; `nil` if it is the preferred name.
    ///   - edges: the types with their parents.
    init(names: TypeNames, aliases: [Int?], edges: [(child: Int, parent: Int)]) {
        self.names = names
        let preferred = (0..<names.count).map { Self.preferred($0, aliases) }
        self.preferred = preferred
        var parents = [[Int]](repeating: [], count: names.count)
        for edge in edges { parents[preferred[edge.child]].append(preferred[edge.parent]) }
        let text = names.find(.plainText)
        let isText = (0..<names.count).map { names.isType($0, of: Self.textFamily) }
        ancestors = (0..<names.count).map { number in
            guard preferred[number] == number, isText[number] || !parents[number].isEmpty else { return [] }
            var found = [number]
            var next = 0
            while next < found.count, found.count < Self.ancestorLimit {
                let current = found[next]
                next += 1
                for parent in parents[current] where !found.contains(parent) { found.append(parent) }
                if isText[current], let text, !found.contains(text) { found.append(text) }
            }
            return Array(found.dropFirst())
        }
    }

    /// The end of a chain of aliases. A circular chain ends at the limit.
    private static func preferred(_ name: Int, _ aliases: [Int?]) -> Int {
        var current = name
        for _ in 0..<chainLimit {
            guard let next = aliases[current] else { return current }
            current = next
        }
        return current
    }

    /// The preferred name of the type.
    func canonical(_ type: MediaType) -> MediaType {
        guard let number = names.find(type), preferred[number] != number else { return type }
        return names[preferred[number]] ?? type
    }

    /// Whether `type` is an `ancestor` or a subtype of it. Every text type is a subtype of plain text.
    func conforms(_ type: MediaType, to ancestor: MediaType) -> Bool {
        let number = names.find(type).map { preferred[$0] }
        let wanted = names.find(ancestor).map { preferred[$0] }
        if number == nil && wanted == nil, type == ancestor { return true }
        guard let number else { return ancestor == .plainText && Self.isText(type) }
        guard let wanted else { return false }
        return number == wanted || ancestors[number].contains(wanted)
    }

    /// Whether `type`, or one of its ancestors, is in a family such as `image/`.
    func conforms(_ type: MediaType, toFamily family: Substring) -> Bool {
        guard let number = names.find(type).map({ preferred[$0] }) else { return type.type == family }
        let family = "\(family)/".utf8
        return names.isType(number, of: family) || ancestors[number].contains { names.isType($0, of: family) }
    }

    private static let textFamily = Array("text/".utf8)

    private static func isText(_ type: MediaType) -> Bool { type.description.utf8.starts(with: textFamily) }
}
