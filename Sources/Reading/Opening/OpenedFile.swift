internal import Files
package import ShareModel
package import SystemPackage

/// A regular file, opened for one reading. The value closes it at its end.
package struct OpenedFile: ~Copyable {
    /// For reading, at the place where ``read(into:)`` goes on. It is valid while the value lives; the caller does not
    /// close it.
    package let descriptor: FileDescriptor
    /// In bytes, when the file was opened. The file may have more or fewer.
    package var size: Int64 { stamp.size }
    /// The stamp when the file was opened.
    package let stamp: SourceStamp
    /// The time of the last change of its content; `nil` if the system may make the time up, because no block of the file
    /// is on a disk.
    package var modified: Timestamp? { isVirtual ? nil : Timestamp(nanoseconds: stamp.modified) }
    /// What the manifest of the file's bag states about its content; `nil` outside of bags. The reader of the file checks
    /// the bytes against it.
    package let payload: PayloadCheck?
    private let name: String
    private let isVirtual: Bool

    /// Takes over a descriptor.
    ///
    /// - Throws: after it closed the descriptor, unless the file is regular.
    init(_ descriptor: FileDescriptor, name: String, payload: PayloadCheck? = nil) throws(ReadingError) {
        do throws(ReadingError) {
            let status = try named(name) { () throws(Errno) in try OpenFileStatus(of: descriptor) }
            guard case .file = status.kind else {
                throw ReadingError(.refused, "\(name) is not a regular file; only files are taken in")
            }
            (stamp, isVirtual) = (status.stamp, status.isVirtual)
        } catch {
            try? descriptor.close()
            throw error
        }
        self.descriptor = descriptor
        self.name = name
        self.payload = payload
    }

    deinit { try? descriptor.close() }

    /// Reads on into `buffer`.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        try attempt { try descriptor.read(into: buffer) }
    }

    /// All bytes from here on, of a small file.
    ///
    /// - Throws: with code `limit` if they are more than `limit`.
    package func bytes(limit: Int) throws(ReadingError) -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try read(into: buffer)
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: buffer[..<count])
            guard bytes.count <= limit else { throw ReadingError(.limit, "\(name) is longer than \(limit) bytes") }
        }
    }

    /// Goes back to the first byte.
    package func rewind() throws(ReadingError) { _ = try attempt { try descriptor.seek(offset: 0, from: .start) } }

    private func attempt<Value>(_ call: () throws -> Value) throws(ReadingError) -> Value {
        do {
            return try call()
        } catch let failure as Errno {
            throw ReadingError(failure, on: name)
        } catch {
            throw ReadingError(.unreadable, "\(name) cannot be read: \(error)")
        }
    }

    /// What the size and the times of a file tell after its last byte was read.
    package enum Trace {
        /// They are the same as when the file was opened. The stamp is the one by which a later run can recognize the
        /// file; it is `nil` if the size says nothing.
        case unchanged(SourceStamp?)
        /// Only the time of change is another one. The file has a new name, no name or new permissions; or a program
        /// wrote into it and set the time of modification back. The bytes tell which.
        case touched
    }

    /// Compares the size and the times of the file with those when it was opened.
    ///
    /// - Throws: with code `changed` if the size or the time of modification is another one, or if `count` differs from
    ///   the size.
    package func trace(afterReading count: Int64) throws(ReadingError) -> Trace {
        // Some file systems state the size 0 for "unknown", and others one that they made up.
        let isExpected = size == 0 || size == count || (isVirtual && count < size)
        let now = try named(name) { () throws(Errno) in try OpenFileStatus(of: descriptor) }.stamp
        guard isExpected, now.size == stamp.size, now.modified == stamp.modified else { throw changed }
        // The system makes up the times of a virtual file.
        guard isVirtual || now.changed == stamp.changed else { return .touched }
        return .unchanged(now == stamp && size == count ? now : nil)
    }

    /// Checks, after the last byte, that the file has the same size and times as when it was opened.
    ///
    /// - Throws: with code `changed` if it has not.
    package func checkUnchanged(afterReading count: Int64) throws(ReadingError) {
        if case .touched = try trace(afterReading: count) { throw changed }
    }

    /// The error for a file with other bytes than those that were read.
    package var changed: ReadingError {
        ReadingError(.changed, "\(name) changed while it was read; run again once it is written")
    }
}
