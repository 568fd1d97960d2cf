internal import CCrypto
package import ShareModel

/// SHA-256 of bytes that come in pieces, by libcrypto.
package final class SHA256Hasher {
    private let context: OpaquePointer

    /// Looked up once: libcrypto 3 goes through its providers for each digest otherwise. What it found never changes.
    nonisolated(unsafe) private static let algorithm = EVP_MD_fetch(nil, "SHA256", nil)

    /// Begins a digest.
    ///
    /// Traps if libcrypto has no SHA-256, or no memory for the context, some hundred bytes. Swift's own allocations trap
    /// for want of memory too, so that an error here would save no run.
    package init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, Self.algorithm, nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256 or no memory")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes the next bytes, any number of them; not after ``finish()``.
    package func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// The digest of all bytes so far; the hasher is used up.
    package func finish() -> Digest {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { buffer in
            EVP_DigestFinal_ex(context, buffer.bindMemory(to: UInt8.self).baseAddress, nil)
            return Digest(bytes: UnsafeRawBufferPointer(buffer))
        }
    }
}

extension Digest {
    /// The digest of some bytes at hand.
    package init(of bytes: UnsafeRawBufferPointer) {
        let hasher = SHA256Hasher()
        hasher.update(bytes)
        self = hasher.finish()
    }

    /// The digest of some bytes at hand.
    package init(of bytes: [UInt8]) { self = bytes.withUnsafeBytes { Digest(of: $0) } }

    /// The digest of a text in UTF-8.
    package init(of text: some StringProtocol) { self.init(of: Array(text.utf8)) }
}
