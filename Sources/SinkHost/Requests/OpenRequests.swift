internal import Files
internal import Glibc
internal import SinkKit
internal import Synchronization
internal import SystemPackage

/// The requests of a process that have no answer yet. The answers come on other threads, and ring a bell that the session's wait hears.
final class OpenRequests {
    struct Name: Hashable {
        let id: String
        let name: String
    }

    /// The answers that the session has not sent.
    final class Box: Sendable {
        private let answers = Mutex<[HostMessage.Response]>([])
        private let pipe: PipeEnds

        init() throws(Errno) {
            pipe = try PipeEnds()
            for end in [pipe.readEnd, pipe.writeEnd] {
                _ = fcntl(end.rawValue, F_SETFL, fcntl(end.rawValue, F_GETFL) | O_NONBLOCK)
            }
        }

        deinit { pipe.close() }

        /// Readable while answers wait.
        var bell: FileDescriptor { pipe.readEnd }

        func put(_ answer: HostMessage.Response) {
            answers.withLock { answers in
                answers.append(answer)
                _ = try? pipe.writeEnd.writeAll([0])
            }
        }

        func takeAll() -> [HostMessage.Response] {
            answers.withLock { answers in
                // One byte for each answer; a full pipe has dropped some.
                var bytes = [UInt8](repeating: 0, count: 256)
                while let count = try? bytes.withUnsafeMutableBytes({ try pipe.readEnd.read(into: $0) }), count > 0 {}
                defer { answers = [] }
                return answers
            }
        }
    }

    let box: Box
    private var tasks: [Name: Task<Void, Never>] = [:]

    /// The most open requests of a process. Another one ends it.
    static let limit = 64

    init() throws(Errno) { box = try Box() }

    deinit { for task in tasks.values { task.cancel() } }

    var isEmpty: Bool { tasks.isEmpty }
    var isFull: Bool { tasks.count >= Self.limit }

    func has(_ name: Name) -> Bool { tasks[name] != nil }

    /// Begins a request.
    func begin(_ request: HostedRequest, by performer: any RequestPerformer) {
        let name = Name(id: request.request.id, name: request.request.name)
        tasks[name] = Task { [box] in
            let answer = await performer.perform(request)
            if case .file(let file, _) = request.body { try? file.close() }
            box.put(answer)
        }
    }

    /// The answers since the last call whose requests are still open.
    func takeAnswers() -> [HostMessage.Response] {
        guard !tasks.isEmpty else { return [] }
        return box.takeAll().filter { tasks.removeValue(forKey: Name(id: $0.id, name: $0.name)) != nil }
    }

    /// Ends the requests of a delivery that the sink has answered.
    func end(of id: String) {
        for name in tasks.keys where name.id == id { tasks.removeValue(forKey: name)?.cancel() }
    }
}
