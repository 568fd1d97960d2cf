internal import Files
internal import GroupContainer
internal import ShareModel
internal import SystemPackage

/// Compares one object's file with its row.
struct ObjectInspector {
    /// A fault of an object's file.
    enum Fault: Sendable, Equatable {
        case missing
        case notAFile
        case size(Int64)
        /// The file has this size and not that of the row, but its bytes match its name. So the row is wrong.
        case rowSize(Int64)
        case content
        case unreadable(String)

        /// Whether the object is whole, and only its row is wrong.
        var isOfRow: Bool {
            if case .rowSize = self { true } else { false }
        }
    }

    struct Report: Sendable {
        var fault: Fault?
        var isWritable = false
        var hashedBytes: Int64?

        /// Whether the file was read, and has other bytes than the row states.
        var isDamaged: Bool {
            switch fault {
            case .size, .content: true
            case .missing, .notAFile, .rowSize, .unreadable, nil: false
            }
        }
    }

    let layout: ContainerLayout
    let fileSystem: any FileSystem

    /// - Parameter hashes: whether to read and hash the bytes; otherwise only the size is compared. A file of another
    ///   size is always hashed, because only its digest shows whether the file or the row is wrong.
    func report(on entry: ObjectEntry, hashes: Bool) -> Report {
        var report = Report()
        let path = layout.object(entry.digest)
        do {
            // The status first: opening a FIFO would block.
            guard let status = try fileSystem.status(of: path) else {
                report.fault = .missing
                return report
            }
            guard status.kind == .file else {
                report.fault = .notAFile
                return report
            }
            report.isWritable = !status.isReadOnly
            let hasRowSize = status.size == entry.size
            guard hashes || !hasRowSize else { return report }
            let (digest, count) = try fileSystem.digest(of: path)
            report.hashedBytes = count
            switch (digest == entry.digest, hasRowSize) {
            case (true, true): break
            case (true, false): report.fault = .rowSize(count)
            case (false, true): report.fault = .content
            case (false, false): report.fault = .size(status.size)
            }
        } catch {
            report.fault = .unreadable("\(error)")
        }
        return report
    }
}

extension FileStatus {
    /// Whether the owner can read the file, and no user can write it.
    var isReadOnly: Bool {
        permissions.contains(.ownerRead)
            && permissions.isDisjoint(with: [.ownerWrite, .groupWrite, .otherWrite])
    }
}
