package import Formats
package import ShareModel

/// Runs one inspector alone, for tests and fuzzing, without an earlier conclusion.
package struct InspectorTrial {
    /// The names of the inspectors, in the order in which the sniffer calls them.
    package static let names = Inspectors.all.list.map(name)

    private let inspector: any Inspector

    /// The inspector with this name; `nil` if there is none.
    package init?(_ name: String) {
        guard let inspector = Inspectors.all.list.first(where: { Self.name($0) == name }) else { return nil }
        self.inspector = inspector
    }

    /// The inspector's conclusion; `nil` if it has none.
    ///
    /// Traps if the inspector concludes a type that it does not list.
    package func type(of content: ContentBytes) throws -> MediaType? {
        guard content.size > 0, let finding = try inspector.inspect(Sample(content)) else { return nil }
        precondition(inspector.concludes.contains(finding.type), "\(finding.type) is none of what it concludes")
        return finding.type
    }

    private static func name(_ inspector: any Inspector) -> String {
        let name = "\(Swift.type(of: inspector))"
        return name.hasSuffix("Inspector") ? String(name.dropLast("Inspector".count)) : name
    }
}
