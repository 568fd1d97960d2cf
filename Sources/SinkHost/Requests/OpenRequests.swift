internal import Files
internal import Glibc
internal import SinkKit
internal import Synchronization
internal import SystemPackage

/// The requests of a process that have no answer yet. The answers come on other threads, and ring a bell that the session's wait hears.
final class OpenRequests {
    struct Name: Hashable {
        let id: String
        /// `nil` for the recording of a transfer.
        let name: String?
    }

    /// What has come of a request.
    enum Answer: Sendable {
        case response(HostMessage.Response)
        /// A transfer is on record, or why it is not.
        case recording(id: String, HostMessage.RequestFailure?)
    }

    /// The answers that the session has not sent.
    final class Box: Sendable {
        private let answers = Mutex<[(number: Int, answer: Answer)]>([])
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

        func put(_ answer: Answer, number: Int) {
            answers.withLock { answers in
                answers.append((number, answer))
                _ = try? pipe.writeEnd.writeAll([0])
            }
        }

        func takeAll() -> [(number: Int, answer: Answer)] {
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
    private var tasks: [Name: (number: Int, task: Task<Void, Never>)] = [:]
    /// Counts the requests. A delivery that comes again has the same name, and must not get an earlier answer.
    private var last = 0
    /// The deliveries with a request whose outcome the sink does not know, and that may have changed something.
    private var uncertain: Set<String> = []

    /// The most open requests of a process. Another one ends it.
    static let limit = 64

    init() throws(Errno) { box = try Box() }

    deinit { for open in tasks.values { open.task.cancel() } }

    var isEmpty: Bool { tasks.isEmpty }
    var isFull: Bool { tasks.count >= Self.limit }

    func has(_ name: Name) -> Bool { tasks[name] != nil }

    /// Begins a request.
    func begin(_ request: HostedRequest, by performer: any RequestPerformer) {
        let name = Name(id: request.request.id, name: request.request.name)
        last += 1
        let task = Task { [box, last] in
            let answer = await performer.perform(request)
            if case .file(let file, _) = request.body { try? file.close() }
            if !Task.isCancelled { box.put(.response(answer), number: last) }
        }
        tasks[name] = (last, task)
        if !Self.isSafe(request.request) { uncertain.insert(name.id) }
    }

    /// Whether a transfer is being recorded that a delivery was handed over to.
    func isRecording(_ id: String) -> Bool { tasks[Name(id: id, name: nil)] != nil }

    /// Records a transfer. It is not canceled, because its outcome would be unknown then.
    func record(_ transfer: HostedTransfer, by performer: any RequestPerformer) {
        let id = transfer.transfer.id
        last += 1
        let task = Task { [box, last] in
            let failure = await performer.record(transfer)
            if case .product(let file, _) = transfer.body { try? file.close() }
            box.put(.recording(id: id, failure), number: last)
        }
        tasks[Name(id: id, name: nil)] = (last, task)
    }

    /// Whether a service that gets the request twice is as if it had got it once (RFC 9110, section 9.2.1).
    private static func isSafe(_ request: SinkMessage.Request) -> Bool {
        ["GET", "HEAD", "OPTIONS", "PROPFIND"].contains(request.method)
    }

    /// The answers since the last call whose requests are still open.
    func takeAnswers() -> [Answer] {
        box.takeAll().compactMap { number, answer in
            let name =
                switch answer {
                case .response(let response): Name(id: response.id, name: response.name)
                case .recording(let id, _): Name(id: id, name: nil)
                }
            guard tasks[name]?.number == number else { return nil }
            tasks[name] = nil
            // An answer of the service, or a request that surely did not go out. Then the sink knows.
            if case .response(let response) = answer, response.failure?.mayHaveArrived != true,
                !tasks.keys.contains(where: { $0.id == name.id })
            {
                uncertain.remove(name.id)
            }
            return answer
        }
    }

    /// Whether the service may have got a request of a delivery whose outcome no one knows.
    func isUncertain(_ id: String) -> Bool { uncertain.contains(id) }

    /// Ends the requests of a delivery that the sink has answered.
    func end(of id: String) {
        for name in tasks.keys where name.id == id {
            let task = tasks.removeValue(forKey: name)?.task
            if name.name != nil { task?.cancel() }
        }
        uncertain.remove(id)
    }
}
