internal import Files
package import SinkKit
package import SystemPackage

/// The sinks that this run found.
package struct SinkRegistry: Sendable {
    /// The sinks that take part in routing. A sink earlier in this order wins a tie.
    package let sinks: [InstalledSink]
    /// Every manifest that was found, in the order of the search.
    package let found: [FoundSink]

    /// The registry reads at most this many manifests from one folder.
    package static let maximumSinks = 1_000

    package init(sinks: [InstalledSink]) {
        self.init(found: sinks.map { FoundSink(manifest: $0.folder, standing: .used($0)) })
    }

    package init(found: [FoundSink]) {
        self.found = found
        let used = found.compactMap { found in
            if case .used(let sink) = found.standing { sink } else { nil }
        }
        // The sort is stable, so sinks with equal settings stay in the order of the search.
        sinks = used.sorted { $0.settings.order < $1.settings.order }
    }

    /// Searches the given folders, then the places of bundled sinks: beside the program, and in
    /// `../libexec/sluice/sinks`.
    ///
    /// If several sinks have the same identifier, the first one takes part. A broken sink does not hide a later one.
    ///
    /// - Parameter configuration: the folder with the user's settings; `nil` if there is none.
    package init(folders: [FilePath], program: FilePath, configuration: FilePath? = nil) {
        let beside = program.removingLastComponent()
        let installed = beside.removingLastComponent().appending("libexec/sluice/sinks")
        // SwiftPM puts the resources of a target into a folder NAME.resources beside the program.
        let places = folders.map { ($0, "") } + [(beside, ".resources"), (installed, "")]
        var first: [String: FilePath] = [:]
        var seen: Set<FilePath> = []
        var found: [FoundSink] = []
        for (folder, suffix) in places {
            let (manifests, unreadable) = Self.search(folder, suffix: suffix)
            // Two folders may be links to the same one. A sink must not shadow itself.
            for manifest in manifests where seen.insert(manifest.real ?? manifest).inserted {
                let standing = Self.standing(of: manifest, configuration: configuration, first)
                found.append(FoundSink(manifest: manifest, standing: standing))
                // A disabled sink hides later ones too: the settings belong to the identifier, so those would be off as
                // well.
                if let id = found.last?.sink?.id, first[id] == nil { first[id] = manifest }
            }
            // An unreadable folder may hold sinks that the user relies on, so it is reported and not skipped.
            for (path, why) in unreadable where seen.insert(path).inserted {
                found.append(FoundSink(manifest: path, standing: .broken(why)))
            }
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
            return sink.takesPart ? .used(sink) : .disabled(sink)
        } catch {
            return .broken(error as? SinkObstacle ?? SinkObstacle("\(error)"))
        }
    }

    /// The manifests in a folder and in its direct subfolders, sorted by name, and the paths that cannot be read. A
    /// missing folder has none.
    private static func search(_ folder: FilePath, suffix: String) -> (
        manifests: [FilePath], unreadable: [(FilePath, SinkObstacle)]
    ) {
        var manifests: [FilePath] = []
        var unreadable: [(FilePath, SinkObstacle)] = []
        func look<Value>(at path: FilePath, _ body: () throws(Errno) -> Value) -> Value? {
            do throws(Errno) {
                return try body()
            } catch {
                if error != .noSuchFileOrDirectory, error != .notDirectory {
                    unreadable.append((path, SinkObstacle("it cannot be read: \(error.description)")))
                }
                return nil
            }
        }
        let names = look(at: folder) { () throws(Errno) in try Directory(folder).names(suffix: suffix) } ?? []
        let inside = names.map { folder.appending($0) }
        for place in [folder] + inside where manifests.count < maximumSinks {
            let manifest = place.appending(InstalledSink.manifestName)
            let kind = look(at: manifest) { () throws(Errno) in try Directory.kind(named: manifest) }
            if kind != nil { manifests.append(manifest) }
        }
        return (manifests, unreadable)
    }

    /// What a delivery depends on: a later registry with other values came from edited settings, or from other sinks.
    package struct Trace: Sendable, Equatable {
        package let manifest: SinkManifest
        package let program: FilePath
        package let settings: SinkSettings
        package let settingsFault: SinkObstacle?
    }

    /// The traces of all sinks that take part in routing, in their order.
    package var traces: [Trace] {
        sinks.map {
            Trace(manifest: $0.manifest, program: $0.program, settings: $0.settings, settingsFault: $0.settingsFault)
        }
    }

    package subscript(id: String) -> InstalledSink? { sinks.first { $0.id == id } }

    /// A message for each sink that is left out or cannot be started, and for each risky setting, with the remedy.
    package var warnings: [String] {
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
