internal import CCrypto
package import ShareModel

/// Computes a digest with the algorithm of a bag's manifest, by libcrypto.
package final class ManifestHasher: ContentHasher {
    private let context: OpaquePointer

    /// Begins a digest.
    ///
    /// Traps if libcrypto has not the algorithm, or no memory for the context of a few hundred bytes. Swift's own allocations
    /// trap too if memory is short, so an error here would save no run.
    package init(_ algorithm: BagManifest.Algorithm) {
        let method = algorithm == .sha256 ? EVP_sha256() : EVP_sha512()
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, method, nil) == 1 else {
            preconditionFailure("libcrypto has no \(algorithm.rawValue) or no memory")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds bytes. Do not call it after ``digits()``.
    package func update(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

    /// The digest of all bytes as lower-case hexadecimal digits. Call it once.
    package func digits() -> [UInt8] {
        let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
            var length: UInt32 = 0
            EVP_DigestFinal_ex(context, buffer.baseAddress, &length)
            count = Int(length)
        }
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
