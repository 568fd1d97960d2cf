internal import Files
internal import Glibc
internal import ShareModel
internal import Subprocess
package import SystemPackage

/// Reads secrets from their places. Those of accounts come from a ``TokenSource``.
package enum SecretSource {
    /// In bytes.
    package static let maximumBytes = 64 << 10
    /// The time that a command has to write a secret.
    package static let clock = Duration.seconds(10)

    /// - Throws: ``SinkObstacle`` with the remedy. Its text never contains a part of the secret.
    package static func read(_ reference: SecretReference, clock: Duration = clock) async throws -> String {
        ProcessMemory.hide()
        let bytes =
            switch reference {
            case .environment(let name): try variable(name)
            case .file(let path): try await BlockingCall.run { try contents(of: path) }
            case .command(let words): try await output(of: words, clock: clock)
            case .account(let name): throw SinkObstacle("this program has no accounts, so it cannot use \(name)")
            }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty, !text.utf8.contains(0) else {
            throw SinkObstacle("\(reference) contains no text in UTF-8; put the secret there")
        }
        // A short secret could not be found in the sink's answers and logs, because ordinary words would match it.
        let length = text.unicodeScalars.count
        guard length >= Redactor.shortestSecret else {
            throw SinkObstacle(
                "\(reference) has \(length) characters, and a secret needs at least \(Redactor.shortestSecret); put a "
                    + "longer one there")
        }
        return text
    }

    /// Whether users other than its owner may read the file.
    package static func isReadableByOthers(_ path: FilePath) -> Bool {
        var status = stat()
        return path.withPlatformString { stat($0, &status) } == 0 && status.st_mode & (S_IRGRP | S_IROTH) != 0
    }

    private static func variable(_ name: String) throws -> [UInt8] {
        guard let value = getenv(name) else {
            throw SinkObstacle("the variable \(name) is not set; set it in the environment of this program")
        }
        return UnsafeBufferPointer(start: value, count: strlen(value)).map(UInt8.init(bitPattern:))
    }

    private static func contents(of path: FilePath) throws -> [UInt8] {
        do {
            return withoutLineFeed(try SettingsFile.read(path, limit: maximumBytes))
        } catch {
            throw SinkObstacle("\(error)")
        }
    }

    private static func output(of words: [String], clock: Duration) async throws -> [UInt8] {
        guard let program = words.first else { throw SinkObstacle("the command is empty; name a program") }
        return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
            group.addTask { try await run(program, Array(words.dropFirst())) }
            group.addTask {
                try? await Task.sleep(for: clock)
                return nil
            }
            // Canceling the task of the command kills its processes; see `teardownSequence` below.
            defer { group.cancelAll() }
            guard let bytes = try await group.next() ?? nil else {
                try Task.checkCancellation()
                throw SinkObstacle(
                    "the command \(program) gave no secret within \(clock.components.seconds) seconds; it must not ask "
                        + "for input")
            }
            return bytes
        }
    }

    private static func run(_ program: String, _ arguments: [String]) async throws -> [UInt8] {
        var options = PlatformOptions()
        // The whole group is killed, because a process that the command started could hold the output open.
        options.processGroupID = 0
        options.teardownSequence = [.send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)]
        let executable: Executable = program.contains("/") ? .path(FilePath(program)) : .name(program)
        do {
            let result = try await Subprocess.run(
                executable, arguments: Arguments(arguments), platformOptions: options,
                output: .bytes(limit: maximumBytes), error: .discarded)
            guard case .exited(0) = result.terminationStatus else {
                throw SinkObstacle(
                    "the command \(program) ended with \(result.terminationStatus); run it by hand to see why")
            }
            return withoutLineFeed(result.standardOutput)
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            throw SinkObstacle("the command \(program) wrote more than \(maximumBytes) bytes; a secret is shorter")
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw SinkObstacle("the command \(program) is not there; install it, or name it by its path")
        } catch let error as SubprocessError {
            try Task.checkCancellation()
            throw SinkObstacle("the command \(program) cannot be run: \(error)")
        }
    }

    /// Editors and `echo` end a text with a line feed, which is not part of the secret.
    private static func withoutLineFeed(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes }
        let line = bytes.dropLast()
        return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
}
