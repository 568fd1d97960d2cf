internal import Files
internal import FoundationEssentials
internal import GroupContainer
internal import ShareModel
internal import SystemPackage

extension CareFinding {
    /// The findings of a report, the most serious first; none for a whole object.
    static func all(on entry: ObjectEntry, _ report: ObjectInspector.Report, _ holders: ObjectHolders) -> [CareFinding]
    {
        let path = ContainerLayout.relativeObject(entry.digest)
        func finding(_ kind: Kind, _ what: String, _ remedy: String, _ action: Remedy? = nil) -> CareFinding {
            CareFinding(
                kind, what + holders.words, object: entry.digest, path: path, packages: holders.packages,
                morePackages: holders.more, remedy: remedy, action: action)
        }
        func finding(_ kind: Kind, _ what: String, _ action: Remedy) -> CareFinding {
            finding(kind, what, action.description, action)
        }
        var findings: [CareFinding] = []
        switch (report.fault, entry.lost) {
        case (.missing, let lost?):
            let recovery = holders.recovery
            findings.append(finding(.lost, "lost since \(lost)", recovery.words, recovery.action))
        case (nil, .some):
            findings.append(finding(.found, "recorded as lost, and whole again", .repairRow))
        case (.missing, nil): findings.append(finding(.missing, "the object is missing", .repairObject))
        case (.notAFile, _):
            findings.append(
                finding(.notAFile, "the object's name belongs to something other than a regular file", .repairObject))
        case (.size(let size), _):
            findings.append(finding(.damaged, "it has \(size) bytes instead of \(entry.size)", .repairObject))
        case (.rowSize(let size), _):
            findings.append(
                finding(.size, "its row says \(entry.size) bytes, and it is whole with \(size)", .repairRow))
        case (.content, _):
            findings.append(finding(.damaged, "its bytes do not match its name", .repairObject))
        case (.unreadable(let why), _):
            findings.append(finding(.unreadable, why, "repair the disk or the permissions, and verify again"))
        case (nil, nil): break
        }
        // The repair of a damaged object replaces or moves the file, so its mode does not matter.
        if report.isWritable, !report.isDamaged {
            findings.append(finding(.mode, "it is not read-only", .repairMode))
        }
        return findings
    }

    /// A finding about a file or folder below `objects` that is no object.
    init(strange path: FilePath, in layout: ContainerLayout) {
        let relative = path.way(from: layout.root).map { FilePath(root: nil, $0) } ?? path
        self.init(
            .strange, "it is no object, and this program did not put it there", path: relative.string,
            remedy: "look at it, and move it out of the container")
        if Array(relative.string.utf8) != relative.bytes { pathBase64 = Data(relative.bytes).base64EncodedString() }
    }
}
