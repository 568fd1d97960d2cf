import ShareModel
import SinkKit
import Synchronization
import SystemPackage
import Testing

@testable import Ingestion
@testable import SinkHost

/// The containment that a confiner reaches, and its message if that is not the sandbox.
@Suite struct SinkConfinerTests {
    private func confiner(_ requirement: ContainmentRequirement, _ bubblewraps: [FilePath]) async throws
        -> SinkConfiner
    {
        try await SinkConfiner(
            requirement: requirement, program: ConfinedSink.program, bubblewraps: bubblewraps)
    }

    @Test func withoutBubblewrapThereAreLimitsAndARemedy() async throws {
        let confiner = try await confiner(.preferred, ["/no/such/bwrap"])
        #expect(confiner.level == .limits)
        #expect(confiner.shortfall?.contains("install the package bubblewrap") == true)
    }

    @Test func aRequiredSandboxThatCannotBeHadIsAnError() async throws {
        let error = await #expect(throws: SinkHostError.self) { try await confiner(.required, []) }
        #expect(error?.message.contains("install the package bubblewrap") == true)
    }

    @Test func nothingIsSaidWhereNoneIsAskedFor() async throws {
        let confiner = try await confiner(.off, Sandbox.places)
        #expect(confiner.level == .limits)
        #expect(confiner.shortfall == nil)
    }

    @Test(arguments: [
        ("echo 'bwrap: Unknown option --size' >&2; exit 1", "bubblewrap 0.7"),
        ("echo 'bwrap: Creating new namespace failed: Operation not permitted' >&2; exit 1", "not permitted"),
        ("exit 0", "does not work"),
    ])
    func aBubblewrapThatDoesNotWorkIsNoSandbox(_ script: String, _ words: String) async throws {
        let folder = try TestFolder()
        let broken = try folder.write("bwrap", "#!/bin/sh\n\(script)\n", mode: 0o755)
        let confiner = try await confiner(.preferred, [broken])
        #expect(confiner.level == .limits)
        #expect(confiner.shortfall?.contains(words) == true, "\(confiner.shortfall ?? "")")
        #expect(confiner.shortfall?.contains(";") == true, "a remedy")
    }

    /// The clock is short only here. The script's child must end with it.
    @Test func aBubblewrapThatDoesNotEndIsNoSandbox() async throws {
        let folder = try TestFolder()
        let hanging = try folder.write("bwrap", "#!/bin/sh\nsleep 600\n", mode: 0o755)
        let confiner = try await SinkConfiner(
            requirement: .preferred, program: ConfinedSink.program, bubblewraps: [hanging], clock: .milliseconds(50))
        #expect(confiner.level == .limits)
        #expect(confiner.shortfall?.contains("has not ended") == true, "\(confiner.shortfall ?? "")")
    }

    @Test func aMissingLauncherIsAnError() async throws {
        let folder = try TestFolder()
        let error = await #expect(throws: SinkHostError.self) {
            try await SinkConfiner(requirement: .preferred, program: folder["bin/sluice"])
        }
        #expect(error?.message.contains("sluice-launch") == true)
    }

    @Test func anInstalledLauncherIsFound() async throws {
        let folder = try TestFolder()
        try folder.write("libexec/sluice/sluice-launch", "#!/bin/sh\n", mode: 0o755)
        let confiner = try await SinkConfiner(requirement: .off, program: folder["bin/sluice"])
        #expect(confiner.level == .limits)
    }

    @Test func aLauncherThatIsNamedIsTaken() async throws {
        let folder = try TestFolder()
        try folder.write("elsewhere/sluice-launch", "#!/bin/sh\n", mode: 0o755)
        let program = folder["bin/sluice"]
        let named = try await SinkConfiner(
            requirement: .off, launcher: folder["elsewhere/sluice-launch"], program: program)
        #expect(named.level == .limits)
        let error = await #expect(throws: SinkHostError.self) {
            try await SinkConfiner(requirement: .off, launcher: folder["nowhere"], program: program)
        }
        #expect(error?.message.contains("nowhere") == true)
    }

    @Test func aConfinerThatIsCanceledBeforeItsUseIsNotMade() async throws {
        let confiner = SharedConfiner {
            Issue.record("it is made")
            return try await SinkConfiner(requirement: .off, program: ConfinedSink.program)
        }
        confiner.cancel()
        await #expect(throws: CancellationError.self) { try await confiner.value }
    }

    /// A run that ends does not wait for a sandbox that hangs. Its workers do not inherit the cancellation.
    @Test(arguments: [false, true]) func aCancellationEndsTheTrial(ofTheTask: Bool) async throws {
        let folder = try TestFolder()
        let hanging = try folder.write("bwrap", "#!/bin/sh\nsleep 600\n", mode: 0o755)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        let confiner = SharedConfiner {
            start.finish()
            return try await SinkConfiner(
                requirement: .preferred, program: ConfinedSink.program, bubblewraps: [hanging], clock: .seconds(3_600))
        }
        let use = Task { try await confiner.value }
        for await _ in starts {}
        if ofTheTask { use.cancel() } else { confiner.cancel() }
        await #expect(throws: CancellationError.self) { try await use.value }
        await #expect(throws: CancellationError.self) { try await confiner.value }
    }

    @Test func theUsersOfAConfinerShareOneTrial() async throws {
        let made = Mutex(0)
        let confiner = SharedConfiner {
            made.withLock { $0 += 1 }
            return try await SinkConfiner(requirement: .off, program: ConfinedSink.program)
        }
        async let first = confiner.value
        async let second = confiner.value
        #expect(try await [first.level, second.level] == [.limits, .limits])
        #expect(made.withLock { $0 } == 1)
    }

    @Test func withoutASandboxPathsAreTheHosts() async throws {
        let sink = try await ConfinedSink("#!/bin/sh", .limits)
        let path = sink.folder["work/in/7/beach.jpg"]
        #expect(sink.launch.inside(path) == path)
        #expect(sink.launch.ownerID == nil)
    }

    @Test func usersFollowOneAnotherInTheirRange() {
        let users = SinkUsers()
        let some = (0..<5_000).map { _ in users.next() }
        #expect(some.allSatisfy(SinkUsers.range.contains))
        #expect(Set(some.prefix(SinkUsers.range.count)).count == min(some.count, SinkUsers.range.count))
    }
}
