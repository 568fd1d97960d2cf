internal import CCrypto
package import ShareModel

/// Computes the SHA-256 of bytes that arrive in pieces, by libcrypto.
package final class SHA256Hasher {
    private let context: OpaquePointer

    // Looked up once, because libcrypto 3 would search its providers for each digest. The handle is immutable.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    /// Begins a digest.
    ///
    /// Traps if libcrypto has no SHA-256, or no memory for the context of a few hundred bytes. Swift's own allocations trap
    /// too if memory is short, so an error here would save no run.
    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, Self.algorithm, nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256 or no memory")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes. Do not call it after ``finish()``.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// The digest of all bytes. Call it once.
    package func finish() -> Digest {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { buffer in
            EVP_DigestFinal_ex(context, buffer.bindMemory(to: UInt8.self).baseAddress, nil)
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
