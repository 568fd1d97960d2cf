import Foundation
import SystemPackage
import Testing

extension Program {
    /// Starts a command and kills it with SIGKILL as soon as a condition holds.
    ///
    /// - Returns: whether the signal ended it.
    func kill(_ command: [String], when isDue: () throws -> Bool) throws -> Bool {
        let scratch = try TestFolder()
        let process = try start(command, input: scratch.write("input", ""), scratch: scratch, output: nil)
        while process.isRunning {
            guard try isDue() else {
                sched_yield()
                continue
            }
            Foundation.kill(process.processIdentifier, SIGKILL)
            break
        }
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
    }
}
