import Foundation
import SystemPackage
import Testing

@testable import ContainerTools
@testable import Files

/// Each disk operation of a library run fails once. The next run must end as if nothing had happened, and a person's
/// files must stay.
@Suite struct LibraryFaultTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder(inMemory: true) }

    @Test(arguments: FaultSchedule.Fault.allCases, [false, true])
    func everyCallCanFail(_ fault: FaultSchedule.Fault, canClone: Bool) throws {
        for rebuilding in [false, true] {
            let undisturbed = try LibraryScene(folder["undisturbed \(rebuilding)"], canClone: canClone)
            try undisturbed.update(rebuilding: rebuilding)
            let expected = try undisturbed.files
            let counted = FaultSchedule(fault, at: .max)
            _ = try disturb(
                LibraryScene(folder["counted \(rebuilding)"], canClone: canClone), counted, canClone, rebuilding)
            try #require(counted.count > 10 || fault == .shortWrite)
            var failures = 0
            let places = Torture.sample(Array(1...counted.count), 5)
            for place in places {
                let name = "\(fault) at \(place) of \(counted.count), rebuilding: \(rebuilding)"
                let scene = try LibraryScene(folder[name], canClone: canClone)
                defer { try? FileManager.default.removeItem(atPath: scene.root.string) }
                let schedule = FaultSchedule(fault, at: place)
                let failure = disturb(scene, schedule, canClone, rebuilding)
                #expect(schedule.isHit, "\(name)")
                failures += failure == nil ? 0 : 1
                try check(scene, rebuilding, expected, "\(name), which ended with \(failure ?? "success")")
            }
            #expect(failures > places.count / 2)
        }
    }

    private func check(
        _ scene: LibraryScene, _ rebuilding: Bool, _ expected: [String: String], _ name: String
    ) throws {
        for (path, text) in LibraryScene.personal { #expect(try scene.files[path] == text, "\(name)") }
        try scene.update(rebuilding: rebuilding)
        #expect(try scene.files == expected, "\(name)")
        #expect(scene.leftovers.isEmpty, "\(name)")
        #expect(try scene.update() == LibraryReport(), "\(name): nothing is left to do")
    }

    /// Runs with the schedule's fault, and returns the error; `nil` if the run succeeded.
    private func disturb(
        _ scene: LibraryScene, _ schedule: FaultSchedule, _ canClone: Bool, _ rebuilding: Bool
    ) -> String? {
        do {
            let watch = try WatchedSQLite(below: scene.root, schedule)
            defer { withExtendedLifetime(watch) {} }
            let disk = FaultyFileSystem(schedule, over: HookedFileSystem(canClone: canClone))
            try scene.update(rebuilding: rebuilding, disk)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
