internal import CCrypto
public import ShareModel

/// SHA-256 of bytes that come in pieces, by libcrypto.
public final class SHA256Hasher {
    private let context: OpaquePointer

    /// Begins a digest; traps where libcrypto has no SHA-256 or no memory.
    public init() {
        guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            preconditionFailure("libcrypto has no SHA-256 or no memory")
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Takes the next bytes, any number of them; not after ``finish()``.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    }

    /// The digest of all bytes so far; the hasher is used up.
    public func finish() -> Digest {
        let bytes = [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
            count = 32
        }
        return Digest(bytes: bytes)
    }
}

extension Digest {
    /// The digest of some bytes at hand.
    public init(of bytes: some Sequence<UInt8>) {
        let hasher = SHA256Hasher()
        Array(bytes).withUnsafeBytes { hasher.update($0) }
        self = hasher.finish()
    }
}
