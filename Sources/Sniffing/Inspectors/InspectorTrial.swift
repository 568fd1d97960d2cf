package import Formats
package import ShareModel

/// One inspector by itself, whatever was concluded before: for whoever tests it.
package struct InspectorTrial {
    /// The inspectors' names, in the order in which they are asked.
    package static let names = Inspectors.all.list.map(name)

    private let inspector: any Inspector

    /// `nil` where none has the name.
    package init?(_ name: String) {
        guard let inspector = Inspectors.all.list.first(where: { Self.name($0) == name }) else { return nil }
        self.inspector = inspector
    }

    /// What the inspector makes of the content.
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
