#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Names one run of a program over a container.
enum Run {
    static func identifier() -> String { UUID().uuidString.lowercased() }
}
