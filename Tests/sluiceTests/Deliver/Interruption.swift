import Foundation
import SystemPackage
import Testing

extension Program {
    /// Starts a command, and kills it by SIGKILL as soon as something is so.
    ///
    /// - Returns: whether it was killed before it came to its end.
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
