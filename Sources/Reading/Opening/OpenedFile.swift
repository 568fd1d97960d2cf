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
    private let name: String
    private let isVirtual: Bool

    /// Takes over a descriptor.
    ///
    /// - Throws: after it closed the descriptor, unless the file is regular.
    init(_ descriptor: FileDescriptor, name: String) throws(ReadingError) {
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
    }

    deinit { try? descriptor.close() }

    /// Reads on into `buffer`.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ReadingError) -> Int {
        try attempt { try descriptor.read(into: buffer) }
    }

    /// Goes back to the first byte.
    func rewind() throws(ReadingError) { _ = try attempt { try descriptor.seek(offset: 0, from: .start) } }

    private func attempt<Value>(_ call: () throws -> Value) throws(ReadingError) -> Value {
        do {
            return try call()
        } catch let failure as Errno {
            throw ReadingError(failure, on: name)
        } catch {
            throw ReadingError(.unreadable, "\(name) cannot be read: \(error)")
        }
    }

    /// Checks, after the last byte, that the file has the same size and times as when it was opened.
    ///
    /// A program can set the time of modification back, but not the time of change. A new name or new permissions
    /// change that time too, and then the file is read again by the next run.
    ///
    /// - Returns: the stamp by which a later run can recognize the file; `nil` if its size says nothing.
    /// - Throws: with code `changed` if the file changed, or if `count` differs from its size.
    @discardableResult
    package func checkUnchanged(afterReading count: Int64) throws(ReadingError) -> SourceStamp? {
        // Some file systems state the size 0 for "unknown", and others one that they made up.
        let isExpected = size == 0 || size == count || (isVirtual && count < size)
        let now = try named(name) { () throws(Errno) in try OpenFileStatus(of: descriptor) }.stamp
        guard isExpected, now.size == stamp.size, now.modified == stamp.modified,
            // The system makes up the times of a virtual file.
            isVirtual || now.changed == stamp.changed
        else {
            throw ReadingError(.changed, "\(name) changed while it was read; run again once it is written")
        }
        return now == stamp && size == count ? now : nil
    }
}
