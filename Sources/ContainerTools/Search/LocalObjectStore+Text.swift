internal import GroupContainer
internal import ShareModel
internal import SystemPackage

extension LocalObjectStore {
    /// The beginning of an object as text, at most `limit` bytes; `nil` if the object cannot be read.
    func text(_ digest: Digest, limit: Int) -> String? {
        guard let file = try? open(digest) else { return nil }
        let bytes = try? file.closeAfter {
            let size = try Int(clamping: file.seek(offset: 0, from: .end))
            return try [UInt8](unsafeUninitializedCapacity: min(limit, size)) { buffer, count in
                while count < buffer.count {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                    let read = try file.read(fromAbsoluteOffset: Int64(count), into: rest)
                    guard read > 0 else { return }
                    count += read
                }
            }
        }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}
