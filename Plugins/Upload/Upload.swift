import Foundation
import SinkKit

/// Sends each share to a service, without a network and without a credential of its own.
@main struct Upload: Sink {
    static let id = "upload"
    static let version = "0.1.0"
    static let features: [SinkProtocol.Feature] = [.transfer]

    /// Content up to this size is sent while the delivery waits, which costs less than a transfer.
    static let shortBytes: Int64 = 1 << 20

    private var service: Service?
    private var folder = ""
    /// The folders that are surely there.
    private var made: Set<String> = []

    init() {}

    mutating func configure(_ configuration: JSONValue) throws {
        guard case .object(let values) = configuration, case .string(let name)? = values["service"] else {
            throw SinkFailure(.permanent, "'service' is missing")
        }
        let service = try Service.named(name, in: Self.places)
        self.service = service
        if case .string(let folder)? = values["folder"] { self.folder = folder }
        guard folder.isEmpty || service.hasFolders else {
            throw SinkFailure(.permanent, "\(service.title) has no folders; remove 'folder' from the settings")
        }
        guard !folder.split(separator: "/").contains(where: { [".", ".."].contains($0) }) else {
            throw SinkFailure(.permanent, "'folder' must have no step '.' or '..'")
        }
    }

    /// Where descriptions of services are: beside `sink.json`, which is `/sink` in the sandbox. Without one it is the program's folder, or
    /// the folder of its resources.
    private static var places: [URL] {
        let own = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        return [URL(filePath: "/sink"), own, own.appending(path: "sluice_upload.resources")].map {
            $0.appending(path: "services")
        }
    }

    mutating func deliver(_ delivery: Delivery, report: Report) throws -> Settlement {
        guard let service else { throw SinkFailure(.permanent, "'service' is missing") }
        var progress = Progress(delivery.transfer?.state)
        if let end = delivery.transfer {
            let answer = Answer(end.status ?? 0, end.headers ?? [:], end.text)
            try settle(answer, service, &progress)
        }
        while progress.next < delivery.parts.count {
            let part = delivery.parts[progress.next]
            let destination = Destination(part, folder: folder)
            if service.alwaysInBackground == true || part.size > Self.shortBytes {
                try makeFolders(of: destination, service, report)
                return .transferring(
                    Settlement.Transfer(
                        service.method, destination.filled(service.url), account: true,
                        headers: headers(service, destination), body: .init(part: progress.next),
                        resumable: service.resumable ?? .none, state: progress.state))
            }
            var answer = try send(progress.next, to: destination, service, report)
            if service.answer(answer.status, answer.text).meaning == .noFolder, service.folders != nil {
                made = []
                try makeFolders(of: destination, service, report)
                answer = try send(progress.next, to: destination, service, report)
            }
            try settle(answer, service, &progress)
        }
        guard progress.isNew else { return .duplicate }
        return .delivered(
            metadata: progress.places.isEmpty ? [:] : ["places": .array(progress.places.map { .string($0) })])
    }

    /// An answer of the service.
    private struct Answer {
        let status: Int
        let headers: [String: String]

        let text: String

        init(_ status: Int, _ headers: [String: String], _ text: String?) {
            (self.status, self.headers, self.text) = (status, headers, text ?? "")
        }

        /// The time that the service wants to have, in milliseconds.
        var retryAfter: Int? {
            headers["retry-after"].flatMap { Int($0) }.flatMap { (0...86_400).contains($0) ? $0 * 1_000 : nil }
        }
    }

    private func headers(_ service: Service, _ destination: Destination) -> [String: String] {
        (service.headers ?? [:]).mapValues(destination.filled)
    }

    private func send(_ number: Int, to destination: Destination, _ service: Service, _ report: Report) throws -> Answer
    {
        try ask(
            report, service.method, destination.filled(service.url), headers(service, destination), .init(part: number))
    }

    private func ask(
        _ report: Report, _ method: String, _ url: String, _ headers: [String: String] = [:],
        _ body: SinkMessage.RequestBody? = nil
    ) throws -> Answer {
        let response = try report.request(method, url, account: true, headers: headers, body: body)
        if let failure = response.failure { throw SinkFailure(failure.class, failure.why) }
        return Answer(response.status ?? 0, response.headers ?? [:], response.text)
    }

    private mutating func makeFolders(of destination: Destination, _ service: Service, _ report: Report) throws {
        guard let folders = service.folders else { return }
        for folder in destination.folders where !made.contains(folder) {
            let answer = try ask(report, folders.method, folders.url.replacing("{folder}", with: folder))
            guard 200..<300 ~= answer.status || folders.there?.contains(answer.status) == true else {
                throw failure(answer, service, "the folder '\(folder)' cannot be made: ")
            }
            made.insert(folder)
        }
    }

    /// Notes what an answer means for the part that was sent.
    private mutating func settle(_ answer: Answer, _ service: Service, _ progress: inout Progress) throws {
        switch service.answer(answer.status, answer.text).meaning {
        case .delivered: progress.isNew = true
        case .duplicate: break
        case .noFolder:
            // Someone has removed it. It is made again at the next try.
            made = []
            throw failure(answer, service, "")
        case .later, .login, .refused: throw failure(answer, service, "")
        }
        if let place = answer.headers["location"] { progress.places.append(place) }
        progress.next += 1
    }

    private func failure(_ answer: Answer, _ service: Service, _ what: String) -> SinkFailure {
        let meaning = service.answer(answer.status, answer.text)
        let why = "\(what)the service answers \(answer.status)\(meaning.why.map { ": \($0)" } ?? "")"
        return switch meaning.meaning {
        case .login: SinkFailure(.auth, why)
        case .later, .noFolder: SinkFailure(.transient, why, retryAfterMilliseconds: answer.retryAfter)
        case .delivered, .duplicate, .refused: SinkFailure(.permanent, why)
        }
    }

    /// The parts of a delivery that the service has. It travels with a transfer.
    private struct Progress {
        /// The part that is sent next.
        var next = 0
        /// Whether the service did not have all of them before.
        var isNew = false
        /// Where the service says that they are.
        var places: [String] = []

        init(_ state: JSONValue?) {
            guard case .object(let values)? = state else { return }
            if case .integer(let next)? = values["next"] { self.next = max(0, Int(next)) }
            if case .bool(let isNew)? = values["new"] { self.isNew = isNew }
            if case .array(let places)? = values["places"] {
                self.places = places.compactMap { if case .string(let place) = $0 { place } else { nil } }
            }
        }

        var state: JSONValue {
            ["next": .integer(Int64(next)), "new": .bool(isNew), "places": .array(places.map { .string($0) })]
        }
    }
}
