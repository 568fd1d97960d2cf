internal import CCrypto
package import ShareModel

/// Computes the SHA-256 of bytes that arrive in pieces, by libcrypto.
package final class SHA256Hasher {
    private let context = UnsafeMutablePointer<SHA256_CTX>.allocate(capacity: 1)

    /// Begins a digest.
    package init() { SHA256_Init(context) }

    deinit { context.deallocate() }

    /// Adds bytes. Do not call it after ``finish()``.
    package func update(_ bytes: UnsafeRawBufferPointer) { SHA256_Update(context, bytes.baseAddress, bytes.count) }

    /// The digest of all bytes. Call it once.
    package func finish() -> Digest {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { buffer in
            SHA256_Final(buffer.bindMemory(to: UInt8.self).baseAddress, context)
            return Digest(bytes: UnsafeRawBufferPointer(buffer))
        }
    }
}

extension Digest {
    package init(of bytes: UnsafeRawBufferPointer) {
        let hasher = SHA256Hasher()
        hasher.update(bytes)
        self = hasher.finish()
    }

    package init(of bytes: [UInt8]) { self = bytes.withUnsafeBytes { Digest(of: $0) } }

    /// The digest of a text in UTF-8.
    package init(of text: some StringProtocol) { self.init(of: Array(text.utf8)) }
}
