package import FoundationEssentials
internal import GroupChannel
package import ShareModel

/// A request for the transfer process. It makes the request while the caller waits, and records nothing of it.
package struct RequestOrder: ChannelRequest {
    package typealias Answer = RequestEnd
    package static let type = "transfer.request"

    /// The caller's number, by which a ``CancelOrder`` names it.
    package var number: Int64
    package var head: RequestHead
    package var body: Body?
    /// The longest time until the answer, in seconds.
    package var seconds: Int

    package enum Body: Codable, Sendable {
        case bytes(Data)
        /// The first bytes of the open file that comes with the order.
        case file(size: Int64)
    }

    package init(number: Int64 = 0, _ head: RequestHead, body: Body?, seconds: Int) {
        (self.number, self.head, self.body, self.seconds) = (number, head, body, seconds)
    }
}

/// Ends a request. The service may have got it.
package struct CancelOrder: ChannelMessage {
    package static let type = "transfer.cancel"
    /// ``RequestOrder/number``.
    package var number: Int64

    package init(number: Int64) { self.number = number }
}

/// How a request ended.
package enum RequestEnd: Codable, Sendable, Equatable {
    /// The service answered, with any status.
    case answered(RequestAnswer)
    case failed(RequestFailure)
}

/// The answer of a service.
package struct RequestAnswer: Codable, Sendable, Equatable {
    package var status: Int
    package var headers: [HeaderField]
    package var body: Data
    /// The time after which the service wants to be asked again, in seconds; `nil` if it names none.
    package var retryAfter: Int?
    /// The identifier of the login whose credential the request had; `nil` for none.
    package var login: String?
    /// The body, if it was downloaded.
    package var file: DownloadedFile?
    /// The address that has answered, if redirections led to another one.
    package var url: String?

    package init(status: Int, headers: [HeaderField], body: Data, retryAfter: Int? = nil) {
        (self.status, self.headers, self.body, self.retryAfter) = (status, headers, body, retryAfter)
    }
}

/// A file of ``TransferFiles``.
package struct DownloadedFile: Codable, Sendable, Equatable {
    package var size: Int64
    package var digest: Digest

    package init(size: Int64, digest: Digest) { (self.size, self.digest) = (size, digest) }
}

/// Why there is no answer.
package struct RequestFailure: Error, Codable, Sendable, Equatable {
    package enum Kind: String, Codable, Sendable {
        /// A later request may succeed.
        case transient
        /// No request like this one will succeed.
        case permanent
        /// The account needs a login.
        case auth
    }

    package var kind: Kind
    package var why: String
    /// Whether the service may have got the request.
    package var mayHaveArrived: Bool

    package init(_ kind: Kind, _ why: String, mayHaveArrived: Bool = false) {
        (self.kind, self.why, self.mayHaveArrived) = (kind, why, mayHaveArrived)
    }
}

/// The limits of requests. A request beyond one fails with the limit's name.
package enum RequestLimits {
    /// The largest body that is part of an order, in bytes. A larger one is a file.
    package static let inlineBytes = 256 << 10
    /// The largest body of an answer, in bytes. It fits into a line of the sink protocol in each of its forms.
    package static let answerBytes = 128 << 10
    /// A connection without a byte for this time ends, in seconds.
    package static let stallSeconds = 60
    /// The most redirections of one request.
    package static let redirections = 10
    /// The connections to one host at a time.
    package static let hostConnections = 6
    /// All connections at a time.
    package static let connections = 64
}
