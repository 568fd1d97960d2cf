internal import Files
internal import ShareModel
internal import Subprocess
package import SystemPackage

/// The program that keeps logins. It alone reads the keychain and calls services, in a process for each request, so that the login itself
/// is never in the memory of a process that reads foreign formats.
package struct AccountProgram: Sendable {
    private let program: FilePath

    /// The time that the program has to end after the task was canceled.
    private static let grace = Duration.seconds(5)

    /// The name of the program.
    package static let name: FilePath.Component = "sluice-account"

    /// - Parameter program: `nil` to look for it beside the running program, and in `../libexec/sluice` from there.
    package init(_ program: FilePath?, beside current: FilePath) {
        self.program = program?.absolute ?? CompanionProgram.find(Self.name, beside: current)
    }

    /// Makes a request. If the task is canceled, the program is ended.
    ///
    /// - Parameter code: called with each code for a login in a browser.
    /// - Returns: the last answer.
    /// - Throws: ``AccountError`` with the code `program` if there is none; `CancellationError`.
    package func ask(
        _ request: AccountRequest, code: @escaping @Sendable (DeviceCode) -> Void = { _ in }
    ) async throws -> AccountAnswer {
        // The answer may contain a token.
        ProcessMemory.hide()
        // The program wakes the agent itself, unless it dies just before that.
        defer { if request.order.changesLogin { request.places.wakeAgent() } }
        let line: [UInt8]
        do {
            line = try JSONLines.line(request, limit: AccountRequest.limit)
        } catch let error as LineTooLong {
            throw AccountError(.login, "the request has \(error.bytes) bytes, and the limit is \(error.limit)")
        }
        let (input, output) = (try PipeEnds(), try PipeEnds())
        // The pipe holds the whole request.
        _ = try? input.writeEnd.writeAll(line)
        try? input.writeEnd.close()
        var options = PlatformOptions()
        // A refresh that is under way ends first.
        options.teardownSequence = [.send(signal: .terminate, allowedDurationToNextStep: Self.grace)]
        // Ctrl-C ends a login, and no refresh.
        if !request.order.waitsForPerson { options.processGroupID = 0 }
        defer { try? output.readEnd.close() }
        do {
            let result = try await Subprocess.run(
                .path(program), arguments: [], platformOptions: options,
                input: .fileDescriptor(input.readEnd, closeAfterSpawningProcess: true),
                output: .fileDescriptor(output.writeEnd, closeAfterSpawningProcess: true), error: .discarded
            ) { _ in
                try await BlockingCall.run { try Self.read(output.readEnd, code) }
            }
            guard let answer = result.closureResult else {
                throw AccountError(.program, "\(program) ended without an answer (\(result.terminationStatus))")
            }
            return answer
        } catch let error as SubprocessError {
            try Task.checkCancellation()
            throw AccountError(
                .program, "\(program) cannot be started: \(error)", remedy: .installAgain)
        }
    }

    private static func read(_ output: FileDescriptor, _ code: (DeviceCode) -> Void) throws -> AccountAnswer? {
        var lines = LineReader(output)
        while let line = try lines.next(), !line.isTooLong {
            let answer = try JSONLines.decode(AccountAnswer.self, from: line.bytes)
            guard case .code(let device) = answer else { return answer }
            code(device)
        }
        return nil
    }
}
