internal import Files
internal import ShareModel
internal import SystemPackage

/// Compares one object's file with its row.
struct ObjectInspector {
    /// A fault of an object's file.
    enum Fault: Sendable, Equatable {
        case missing
        case notAFile
        case size(Int64)
        case content
        case unreadable(String)
    }

    struct Report: Sendable {
        var fault: Fault?
        var isWritable = false
        var hashedBytes: Int64?

        /// Whether the file was read, and has other bytes than the row states.
        var isDamaged: Bool {
            switch fault {
            case .size, .content: true
            case .missing, .notAFile, .unreadable, nil: false
            }
        }
    }

    let layout: ContainerLayout
    let fileSystem: any FileSystem

    /// - Parameter hashes: whether to read and hash the bytes; otherwise only the size is compared.
    func report(on entry: ObjectEntry, hashes: Bool) -> Report {
        var report = Report()
        let path = layout.object(entry.digest)
        do {
            // The status first: opening a FIFO would block, and a wrong size needs no hash.
            guard let status = try fileSystem.status(of: path) else {
                report.fault = .missing
                return report
            }
            guard status.kind == .file else {
                report.fault = .notAFile
                return report
            }
            report.isWritable = !status.isReadOnly
            if status.size != entry.size {
                report.fault = .size(status.size)
            } else if hashes {
                let (digest, count) = try fileSystem.digest(of: path)
                report.hashedBytes = count
                if digest != entry.digest { report.fault = .content }
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
