package import ShareModel
package import SinkKit
package import SystemPackage

/// A delivery for a sink's process. The session writes its files into the work folder just before it sends the
/// delivery.
package struct HostedDelivery: Sendable {
    package var id: String
    package var key: String
    /// The number of this attempt, from 1.
    package var attempt: Int
    /// Whether the outcome of an earlier attempt is unknown. Then the session first queries a sink that has the feature
    /// `check`.
    package var isUncertain: Bool
    package var title: String?
    package var text: String?
    package var parts: [HostedPart]
    /// The login under which it goes out; `nil` if it needs none.
    package var login: AccountUser?
    /// The number of the delivery in the catalog.
    package var number: Int64
    /// The transfer that an earlier attempt has handed over and that the service has answered.
    package var transfer: Delivery.EndedTransfer?
    /// The file that it has downloaded.
    package var download: HostedPart?

    package init(
        id: String, key: String, attempt: Int, isUncertain: Bool, title: String?, text: String?, parts: [HostedPart],
        login: AccountUser? = nil, number: Int64 = 0
    ) {
        (self.login, self.number) = (login, number)
        (self.id, self.key, self.attempt, self.isUncertain) = (id, key, attempt, isUncertain)
        (self.title, self.text, self.parts) = (title, text, parts)
    }
}

/// A file of a delivery, not yet in the work folder.
package struct HostedPart: Sendable {
    package var role: Delivery.Part.Role
    package var name: String
    package var type: String
    package var size: Int64
    package var sha256: Digest
    /// A local file that never changes and that may be linked; `nil` if the bytes must be copied.
    package var localFile: FilePath?
    /// Opens the bytes; the caller closes the descriptor. It throws ``UndeliverableError`` if the content is lost.
    package var open: @Sendable () throws -> FileDescriptor

    package init(
        role: Delivery.Part.Role, name: String, type: String, size: Int64, sha256: Digest, localFile: FilePath?,
        open: @escaping @Sendable () throws -> FileDescriptor
    ) {
        (self.role, self.name, self.type, self.size, self.sha256) = (role, name, type, size, sha256)
        (self.localFile, self.open) = (localFile, open)
    }
}

/// The reason for which no sink can ever receive a delivery.
package struct UndeliverableError: Error, Sendable {
    package let why: String

    package init(why: String) { self.why = why }
}

/// The outcome of one delivery to a process.
package struct HostedOutcome: Sendable {
    package let id: String
    package let result: Result
    /// Whether a service may have got a request of the delivery that has no known outcome, although the sink has failed it.
    package let isUncertain: Bool

    package init(id: String, result: Result, isUncertain: Bool = false) {
        (self.id, self.result, self.isUncertain) = (id, result, isUncertain)
    }

    package enum Result: Sendable {
        /// The sink settled the delivery.
        case answered(HostedAnswer)
        /// The sink already has the delivery from an earlier attempt.
        case present
        /// The sink's answer breaks a rule of the host, in words.
        case refused(String)
        /// The sink gave up for good, in words.
        case failed(String)
        /// The sink needs another secret, in words.
        case unauthorized(String)
        /// The sink may succeed later: the reason in words, and the milliseconds that it wants to wait at least.
        case transient(String, retryAfter: Int?)
        /// The host can never send the delivery: the reason in words.
        case undeliverable(String)
        /// A transfer is on record, which the sink has handed the delivery over to.
        case transferring
    }
}

/// A sink's answer that keeps the host's rules, without the sink's secrets.
package struct HostedAnswer: Sendable {
    package var status: SinkMessage.Done.Status
    package var why: String?
    package var metadata: JSONValue?
    package var products: [HostedProduct]
    /// The folder that the products' paths are relative to. The sink can still change anything in it.
    package var folder: FilePath
    /// The sum of the products' file sizes.
    package var bytes: Int64
}

/// A file that a sink made. The next call to the session may remove it.
package struct HostedProduct: Sendable {
    /// The path below ``HostedAnswer/folder``, as the sink wrote it.
    package var path: String
    /// The size in bytes when the host checked the answer. The sink can still change it.
    package var size: Int64
    package var role: String
    /// The name that the product gets in the container.
    package var name: String
    package var type: String
}
