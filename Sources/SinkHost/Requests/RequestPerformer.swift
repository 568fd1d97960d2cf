package import FoundationEssentials
package import ShareModel
package import SinkKit
package import SystemPackage

/// Makes the requests of sinks.
package protocol RequestPerformer: Sendable {
    /// Makes a request, and returns the answer or the reason why there is none. If the task is canceled, the request ends.
    func perform(_ request: HostedRequest) async -> HostMessage.Response

    /// Records a transfer. It is durable when this returns without a failure.
    func record(_ transfer: HostedTransfer) async -> HostMessage.RequestFailure?
}

/// A transfer that a sink has handed a delivery over to.
package struct HostedTransfer: Sendable {
    package var transfer: SinkMessage.Transfer
    /// ``HostedDelivery/number``
    package var delivery: Int64
    package var body: Body?
    /// The name of the part that it sends, or of the first one.
    package var name: String?
    /// The account of the sink's settings, if the request goes out under it.
    package var account: AccountName?
    /// The login of the delivery.
    package var login: AccountUser?
    /// The hosts that the sink's settings name.
    package var hosts: [String]
    /// The most bytes of the answer's body, which goes to a file; `nil` if it is a short answer.
    package var download: Int64?

    package enum Body: Sendable {
        case bytes(Data)
        /// A part of the delivery.
        case part(size: Int64, sha256: Digest)
        /// An open file that the sink has made, which the caller of the performer closes afterward.
        case product(FileDescriptor, size: Int64)
    }
}

/// A request of a sink for one of its deliveries.
package struct HostedRequest: Sendable {
    package var request: SinkMessage.Request
    package var body: Body?
    /// The account of the sink's settings, if the request goes out under it.
    package var account: AccountName?
    /// The login of the delivery.
    package var login: AccountUser?
    /// The hosts that the sink's settings name.
    package var hosts: [String]
    /// The longest time until the answer, in seconds.
    package var seconds: Int

    package enum Body: Sendable {
        case bytes(Data)
        /// An open file, which the caller of the performer closes after the answer.
        case file(FileDescriptor, size: Int64)
    }
}

/// A host that makes no requests.
package struct NoRequests: RequestPerformer {
    package init() {}

    package func perform(_ request: HostedRequest) async -> HostMessage.Response {
        .failed(request.request, .transient, "this program makes no requests")
    }

    package func record(_ transfer: HostedTransfer) async -> HostMessage.RequestFailure? {
        .init(class: .transient, why: "this program makes no requests")
    }
}

extension HostMessage.Response {
    /// The answer that there is none.
    package static func failed(
        _ request: SinkMessage.Request, _ kind: FailureClass, _ why: String, mayHaveArrived: Bool = false
    ) -> Self {
        Self(
            id: request.id, name: request.name,
            failure: .init(class: kind, why: why, mayHaveArrived: mayHaveArrived ? true : nil))
    }
}
