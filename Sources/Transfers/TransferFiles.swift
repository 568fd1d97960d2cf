package import Files
internal import FoundationEssentials
package import ShareModel
package import SystemPackage

/// The files of a container's transfers: bodies that are no objects, and downloads. They belong to the record of the transfer, and go when its
/// end was used.
package struct TransferFiles: Sendable {
    /// The name of their folder, in that of the container.
    package static let folder: FilePath.Component = "transfers"

    package let spool: SpoolFolder

    package init(_ container: FilePath) { spool = SpoolFolder(container.appending(Self.folder)) }

    /// The file of a download.
    package static func download(_ key: String) -> String { stem(key) + ".download" }

    /// What is known about the file of a download; see ``DownloadPlace``.
    package static func place(_ key: String) -> String { stem(key) + ".place" }

    /// Stores an open file as the body of a transfer. It is durable when this returns. Each body has a name of its own, so that one that is sent
    /// is neither replaced nor removed by another attempt.
    ///
    /// - Parameter size: that of the file.
    package func store(_ file: FileDescriptor, _ size: Int64, for key: String) throws -> TransferOrder.Body {
        if let free = spool.freeBytes(), free - size < TransferLimits.reserveBytes {
            throw FileError(.system, "there is no room for \(size) bytes; free some disk space")
        }
        let name = "\(Self.stem(key))-\(UniqueName.make()).body"
        do {
            try spool.store(file, as: name)
            let (digest, size) = try spool.digest(of: name)
            return .object(path: "\(Self.folder)/\(name)", size: size, digest: digest)
        } catch {
            try? spool.remove(name)
            throw error
        }
    }

    /// Removes the files of a transfer.
    package func remove(of order: TransferOrder) {
        if order.download != nil {
            for name in [Self.download(order.key), Self.place(order.key)] { try? spool.remove(name) }
        }
        if case .object(let path, _, _)? = order.body { removeBody(path) }
    }

    /// Removes a body that ``store(_:for:)`` has stored. An object stays.
    package func removeBody(_ path: String) {
        let path = FilePath(path)
        guard path.components.count == 2, path.components.first == Self.folder, let name = path.lastComponent else {
            return
        }
        try? spool.remove(name.string)
    }

    /// Removes the files of all other transfers.
    ///
    /// - Parameters:
    ///   - keys: those of the transfers on record.
    ///   - now: in seconds since 1970.
    package func sweep(except keys: [String], now: Int64) {
        let known = Set(keys.map(Self.stem))
        for name in (try? spool.names()) ?? [] where !known.contains(String(name.prefix(Self.stemLength))) {
            // A transfer with this body may be about to be recorded.
            if name.hasSuffix(".body") {
                guard let changed = try? spool.changed(name), changed < now - Self.bodySeconds else { continue }
            }
            try? spool.remove(name)
        }
    }

    private static let stemLength = 32
    /// A body without a transfer stays for this time, in seconds.
    private static let bodySeconds: Int64 = 86_400

    /// A key may be any text, and a name may not.
    private static func stem(_ key: String) -> String { Digest(of: key).digits(stemLength) }
}

/// What is known about the file of a download, so that it can go on.
package struct DownloadPlace: Codable, Sendable, Equatable {
    /// The start of the system in which its bytes were written. After another start, none of them is sure to be there.
    package var boot: String
    /// The address that has answered.
    package var url: String
    /// The strong `ETag`, or `Last-Modified`.
    package var validator: String
    /// The size of the whole content; `nil` if the service did not say.
    package var size: Int64?
    /// The digest of the whole content that the service has stated.
    package var digest: Digest?

    package init(boot: String, url: String, validator: String, size: Int64?, digest: Digest? = nil) {
        (self.boot, self.url, self.validator) = (boot, url, validator)
        (self.size, self.digest) = (size, digest)
    }
}
