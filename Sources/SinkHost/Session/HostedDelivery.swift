package import ShareModel
package import SinkKit
package import SystemPackage

/// A delivery for a sink's process. The host lays its files out for the process when it hands the delivery over.
package struct HostedDelivery: Sendable {
    package var id: String
    package var key: String
    /// From 1, this one included.
    package var attempt: Int
    /// Whether an earlier attempt has no known outcome. A sink with the feature `check` is queried first.
    package var isUncertain: Bool
    package var title: String?
    package var text: String?
    package var parts: [HostedPart]

    package init(
        id: String, key: String, attempt: Int, isUncertain: Bool, title: String?, text: String?, parts: [HostedPart]
    ) {
        (self.id, self.key, self.attempt, self.isUncertain) = (id, key, attempt, isUncertain)
        (self.title, self.text, self.parts) = (title, text, parts)
    }
}

/// A file of a delivery.
package struct HostedPart: Sendable {
    package var role: Delivery.Part.Role
    package var name: String
    package var type: String
    package var size: Int64
    package var sha256: Digest
    /// A local file that never changes and may get another name; `nil` if the bytes must be copied.
    package var localFile: FilePath?
    /// Opens the bytes; the caller closes the descriptor. It throws ``UndeliverableError`` if there are none.
    package var open: @Sendable () throws -> FileDescriptor

    package init(
        role: Delivery.Part.Role, name: String, type: String, size: Int64, sha256: Digest, localFile: FilePath?,
        open: @escaping @Sendable () throws -> FileDescriptor
    ) {
        (self.role, self.name, self.type, self.size, self.sha256) = (role, name, type, size, sha256)
        (self.localFile, self.open) = (localFile, open)
    }
}

/// Why a delivery can never be handed to any sink.
package struct UndeliverableError: Error, Sendable {
    package let why: String

    package init(why: String) { self.why = why }
}

/// What became of one delivery that a process had.
package struct HostedOutcome: Sendable {
    package let id: String
    package let result: Result

    package init(id: String, result: Result) { (self.id, self.result) = (id, result) }

    package enum Result: Sendable {
        /// The sink settled the delivery.
        case answered(HostedAnswer)
        /// The sink has it from an earlier attempt.
        case present
        /// The sink's answer breaks a rule of the host, in words.
        case refused(String)
        /// The sink gave up for good, in words.
        case failed(String)
        /// The sink may succeed later: in words, and after at least as many milliseconds as it states.
        case transient(String, retryAfter: Int?)
        /// The delivery was not handed over and cannot be, in words.
        case undeliverable(String)
    }
}

/// A sink's answer within the host's rules, without the sink's secrets.
package struct HostedAnswer: Sendable {
    package var status: SinkMessage.Done.Status
    package var why: String?
    package var metadata: JSONValue?
    package var products: [HostedProduct]
    /// The folder that the products' paths begin at. The sink can still change anything in it.
    package var folder: FilePath
    /// How many bytes the products' files state.
    package var bytes: Int64
}

/// A file that a sink made. It exists until the next call of the session.
package struct HostedProduct: Sendable {
    /// Below ``HostedAnswer/folder``, as the sink wrote it.
    package var path: String
    package var role: String
    /// The path without the sink's secrets.
    package var name: String
    package var type: String
}
