internal import SinkHost
internal import SinkKit

/// A sink that accepts a type, and how specific its acceptance is.
struct SinkCandidate: Sendable {
    let sink: InstalledSink
    /// The most specific acceptance in its manifest.
    let acceptance: SinkManifest.Acceptance
    let fit: Fit

    /// How an acceptance covers a type, from the least specific to the most specific.
    enum Fit: Int, Sendable, Comparable, CaseIterable {
        case anything, family, conforming, exact

        static func < (left: Fit, right: Fit) -> Bool { left.rawValue < right.rawValue }
    }

    var priority: Int { acceptance.priority ?? 0 }

    /// Whether it comes before another sink. Among equals the order of the registry decides.
    func isBetter(than other: SinkCandidate) -> Bool { (fit, priority) > (other.fit, other.priority) }
}
