package import FoundationEssentials
package import ShareModel

/// A request with its body that is made in the background, as it is recorded.
package struct TransferOrder: Codable, Sendable, Equatable {
    /// Names the transfer. Another order with the key of an open transfer changes nothing.
    package var key: String
    /// The kind of program that began it. One process at a time gets the events of a session.
    package var session: String
    package var head: RequestHead
    package var body: Body?
    /// The name of the content, for people.
    package var name: String?
    package var resumption: Resumption
    /// What the one who began it needs at its end.
    package var state: JSONValue?
    /// The number of the delivery in the catalog.
    package var delivery: Int64
    /// The most bytes of the answer's body, which goes to a file; `nil` if it is a short answer.
    package var download: Int64?
    /// The program that takes the end if no process is connected, and its arguments; empty for none.
    package var agent: [String]

    package enum Body: Codable, Sendable, Equatable {
        case bytes(Data)
        /// An object of the container, by its path below the container's folder.
        case object(path: String, size: Int64, digest: Digest)
    }

    /// How an upload goes on after it was interrupted.
    package enum Resumption: String, Codable, Sendable, CaseIterable {
        /// It begins again.
        case none
        /// The tus protocol, version 1.0.
        case tus
        /// Resumable uploads of the IETF, interop version 6.
        case ietf
        /// Multipart uploads of S3.
        case s3
    }

    package init(
        key: String, session: String, _ head: RequestHead, body: Body?, name: String? = nil, resumption: Resumption,
        state: JSONValue?, delivery: Int64, download: Int64? = nil, agent: [String]
    ) {
        (self.name, self.download) = (name, download)
        (self.key, self.session, self.head, self.body) = (key, session, head, body)
        (self.resumption, self.state, self.delivery, self.agent) = (resumption, state, delivery, agent)
    }

    /// The bytes of the body.
    package var size: Int64 {
        switch body {
        case .bytes(let bytes): Int64(bytes.count)
        case .object(_, let size, _): size
        case nil: 0
        }
    }

    /// Whether the bytes of both bodies are the same, wherever they are.
    package func hasSameBody(as other: TransferOrder) -> Bool {
        if case .object(_, let size, let digest)? = body, case .object(_, size, digest)? = other.body { return true }
        return body == other.body
    }

    /// Whether a repetition does no harm, although the service may have got the request before (RFC 9110, section
    /// 9.2.2).
    package var isRepeatable: Bool {
        resumption != .none || !["POST", "PATCH"].contains(head.method)
            || head.headers.contains { $0.name.lowercased() == "idempotency-key" }
    }
}

/// A transfer as it is on record.
package struct TransferRecord: Sendable, Equatable {
    /// The order in which transfers were begun.
    package var number: Int64
    package var order: TransferOrder
    /// The bytes of the body.
    package var size: Int64
    package var status = Status.open
    /// Where the upload goes on.
    package var progress: UploadProgress?
    /// The bytes that were handed to the connection, for people.
    package var sent: Int64 = 0
    /// The number of tries that have failed in a row.
    package var failures = 0
    /// When the next try is due, in milliseconds since 1970.
    package var due: Int64 = 0
    /// Why the last try failed, in words.
    package var why: String?
    /// `nil` while it is open.
    package var end: RequestEnd?
    /// Counts the ends of all transfers; `nil` while it is open.
    package var endNumber: Int64?
    /// When it was recorded, in milliseconds since 1970.
    package var began: Int64
    /// Whether its present try has begun.
    package var hasStarted = false
    /// Whether a process has taken its end.
    package var isConfirmed = false

    /// What became of it, whether or not its end was used.
    package var outcome: Status {
        guard status == .used else { return status }
        return switch end {
        case .answered: .finished
        case .failed: .failed
        case nil: .canceled
        }
    }

    package enum Status: String, Codable, Sendable {
        case open
        /// The service has answered.
        case finished
        /// There is no answer, and no further try.
        case failed
        /// A person has canceled it.
        case canceled
        /// Its end was used, and the next order with its key begins it again.
        case used
    }
}

/// How many transfers there are.
package struct TransferCounts: Sendable, Equatable {
    /// Those that run, or are about to.
    package var running = 0
    /// Those and the ones that wait for a later try.
    package var open = 0
    /// Those that have ended, and no process has confirmed that.
    package var ends = 0

    package init(running: Int = 0, open: Int = 0, ends: Int = 0) {
        (self.running, self.open, self.ends) = (running, open, ends)
    }
}

/// What a resumable upload knows about itself. It is recorded before the upload goes on.
package struct UploadProgress: Codable, Sendable, Equatable {
    /// The address of the upload, or its identifier.
    package var upload: String
    /// The size of the parts; for S3.
    package var partSize: Int64?
    /// The tags of the parts that the service has; for S3.
    package var parts: [String]?

    package init(upload: String, partSize: Int64? = nil, parts: [String]? = nil) {
        (self.upload, self.partSize, self.parts) = (upload, partSize, parts)
    }
}

/// A step of a transfer, as `sluice transfers show` prints it.
package struct TransferStep: Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable {
        case recorded, started, resumed, interrupted, finished, failed, canceled, retried
        /// A process got the end.
        case told
        /// It has confirmed that.
        case confirmed
    }

    package var kind: Kind
    /// In milliseconds since 1970.
    package var time: Int64
    package var session: String
    /// The process that asked for the step, or that got an event; that of the transfers otherwise.
    package var process: Int32
    package var why: String?

    package init(_ kind: Kind, time: Int64, session: String, process: Int32, why: String?) {
        (self.kind, self.time, self.session, self.process, self.why) = (kind, time, session, process, why)
    }
}

/// The limits of transfers.
package enum TransferLimits {
    /// The transfers of one account or host at a time, so that a broken one does not hold up the others.
    package static let perHost = 4
    /// All transfers at a time.
    package static let all = 24
    /// Of these, so many are for hosts to which none is under way.
    package static let spare = 6
    /// The failures in a row after which a transfer ends.
    package static let failures = 12
    /// The first wait after a failure, which doubles with each further one.
    package static let firstWait = Duration.seconds(2)
    package static let longestWait = Duration.seconds(600)
    /// A process that does not confirm an event for this time is disconnected.
    package static let confirmation = Duration.seconds(10)
    /// The transfers that stay on record although nothing is needed of them.
    package static let kept = 1_000
    /// The latest steps of a transfer that stay on record.
    package static let steps = 200
    /// The longest time that a service takes to answer after it has the whole body, in seconds.
    package static let answerSeconds = 900
    /// The largest body of a transfer, in bytes.
    package static let bodyBytes: Int64 = 5 << 40
    /// Each transfer has this time before others may take its place.
    package static let firstTurn = Duration.seconds(10)
    /// A transfer that moves less in a second lets others go first, and goes on later.
    package static let slowBytes: Int64 = 4 << 10
    /// What downloads leave free on the disk, in bytes.
    package static let reserveBytes: Int64 = 64 << 20
    /// The ends that a process gets at once.
    package static let window = 64
}
