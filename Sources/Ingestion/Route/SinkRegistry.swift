internal import SystemPackage
internal import Unpacking

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The sinks at hand.
struct SinkRegistry: Sendable {
    /// Those that take part, in the order that breaks ties.
    let sinks: [InstalledSink]
    /// All that was found, in the order of the search.
    let found: [FoundSink]

    /// The most sinks that are looked at in one folder.
    static let maximumSinks = 1_000

    init(sinks: [InstalledSink]) {
        self.init(found: sinks.map { FoundSink(manifest: $0.folder, standing: .used($0)) })
    }

    init(found: [FoundSink]) {
        self.found = found
        let used = found.compactMap { found in
            if case .used(let sink) = found.standing { sink } else { nil }
        }
        // Sorting is stable: what is set alike stays in the order of the search.
        sinks = used.sorted { $0.settings.order < $1.settings.order }
    }

    /// Looks for sinks in the given folders, then beside the program: in a build folder and in an installed one.
    ///
    /// The first of several with the same identifier counts; a broken one hides none.
    ///
    /// - Parameter configuration: the folder with people's settings; `nil` where there is none.
    init(folders: [FilePath], program: FilePath, configuration: FilePath? = nil) {
        let beside = program.removingLastComponent()
        let installed = beside.removingLastComponent().appending("libexec/sluice/sinks")
        let manifests =
            folders.flatMap { Self.manifests(in: $0, suffix: "") }
            + Self.manifests(in: beside, suffix: ".resources") + Self.manifests(in: installed, suffix: "")
        var places: [String: FilePath] = [:]
        var seen: Set<FilePath> = []
        var found: [FoundSink] = []
        for manifest in manifests where seen.insert(manifest.real ?? manifest).inserted {
            let standing = Self.standing(of: manifest, configuration: configuration, places)
            found.append(FoundSink(manifest: manifest, standing: standing))
            if let id = found.last?.sink?.id, places[id] == nil { places[id] = manifest }
        }
        self.init(found: found)
    }

    private static func standing(
        of manifest: FilePath, configuration: FilePath?, _ places: [String: FilePath]
    ) -> FoundSink.Standing {
        do {
            var sink = try InstalledSink(reading: manifest)
            if let first = places[sink.id] { return .shadowed(sink, by: first) }
            if let configuration { sink.takeSettings(from: configuration) }
            return sink.settings.isEnabled ? .used(sink) : .disabled(sink)
        } catch {
            return .broken(error as? SinkObstacle ?? SinkObstacle("\(error)"))
        }
    }

    /// The manifests in folders below `folder`, sorted by name; `folder` itself may be a sink's.
    private static func manifests(in folder: FilePath, suffix: String) -> [FilePath] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
        let inside = names.sorted().filter { $0.hasSuffix(suffix) }.map { folder.appending($0) }
        return ([folder] + inside).map { $0.appending(InstalledSink.manifestName) }.filter {
            FileManager.default.fileExists(atPath: $0.string)
        }.prefix(maximumSinks).map(\.self)
    }

    /// The sink with an identifier.
    subscript(id: String) -> InstalledSink? { sinks.first { $0.id == id } }

    /// What people should know: sinks that are left out, or that cannot be started, and the remedy.
    var warnings: [String] {
        found.flatMap { found -> [String] in
            switch found.standing {
            case .broken(let why): ["the sink at \(found.manifest) is left out: \(why)"]
            case .used(let sink):
                (sink.settingsFault.map { ["the sink \(sink.id) is not started: \($0)"] } ?? []) + sink.cautions
            case .disabled, .shadowed: []
            }
        }
    }
}
