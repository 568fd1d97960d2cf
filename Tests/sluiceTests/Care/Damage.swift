import Foundation
import GroupContainer
import ShareModel
import SystemPackage
import Testing

@testable import Files

/// Ways in which an object can be damaged outside the program.
enum Damage: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case removed, changed, shortened, lengthened, folder, link, writable

    var testDescription: String { rawValue }

    /// The name of this damage in the findings of a verification.
    var kind: CareFinding.Kind {
        switch self {
        case .removed: .missing
        case .changed, .shortened, .lengthened: .damaged
        case .folder, .link: .notAFile
        case .writable: .mode
        }
    }

    func strike(_ object: FilePath) throws {
        let files = FileManager.default
        var bytes = try Disk.bytes(object)
        if self == .writable { return try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: object.string) }
        try files.removeItem(atPath: object.string)
        switch self {
        case .removed, .writable: return
        case .folder: return try files.createDirectory(atPath: object.string, withIntermediateDirectories: false)
        case .link:
            return try files.createSymbolicLink(atPath: object.string, withDestinationPath: "/etc/hostname")
        case .changed: bytes[bytes.count / 2] ^= 1
        case .shortened: bytes.removeLast()
        case .lengthened: bytes.append(0)
        }
        try Data(bytes).write(to: URL(filePath: object.string))
        try files.setAttributes([.posixPermissions: 0o400], ofItemAtPath: object.string)
    }
}

extension FilePath {
    /// The path of a text's object in a container at this path.
    func object(of text: String) -> FilePath { object(of: Array(text.utf8)) }

    func object(of bytes: [UInt8]) -> FilePath { ContainerLayout(root: self).object(Digest(of: bytes)) }
}
