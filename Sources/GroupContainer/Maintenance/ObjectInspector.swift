internal import Files
internal import ShareModel
internal import SystemPackage

/// Holds one object's file against its row.
struct ObjectInspector {
    /// What is wrong with an object's bytes.
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

        /// Whether other bytes are there than belong there, as far as they could be read.
        var isDamaged: Bool {
            switch fault {
            case .size, .content: true
            case .missing, .notAFile, .unreadable, nil: false
            }
        }
    }

    let layout: ContainerLayout
    let fileSystem: any FileSystem

    /// - Parameter hashes: whether its bytes are read, or its size is believed.
    func report(on entry: ObjectEntry, hashes: Bool) -> Report {
        var report = Report()
        let path = layout.object(entry.digest)
        do {
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
    /// Whether its owner can read it, and nobody can write it.
    var isReadOnly: Bool {
        permissions.contains(.ownerRead)
            && permissions.isDisjoint(with: [.ownerWrite, .groupWrite, .otherWrite])
    }
}
