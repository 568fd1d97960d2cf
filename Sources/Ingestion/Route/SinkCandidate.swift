internal import SinkKit

/// A sink that accepts a type, and how well it does.
struct SinkCandidate: Sendable {
    let sink: InstalledSink
    /// The acceptance that fits best, as the manifest has it.
    let acceptance: SinkManifest.Acceptance
    let fit: Fit

    /// How an acceptance covers a type; the later, the more specific.
    enum Fit: Int, Sendable, Comparable, CaseIterable {
        case anything, family, conforming, exact

        static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
    }

    var priority: Int { acceptance.priority ?? 0 }

    /// Whether it comes before another by what it accepts; among equals the order of the registry decides.
    func isBetter(than other: SinkCandidate) -> Bool { (fit, priority) > (other.fit, other.priority) }
}
