import Foundation
import ShareModel

/// A real server for uploads, in a process of its own: a script of the folder `Servers`. It ends with this object.
final class UploadServer {
    /// The line that the script prints when it serves.
    private let line: [String: String]
    private let process = Process()
    private let input = Pipe()
    let folder: URL

    private static let scripts = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Servers")

    /// - Parameters:
    ///   - name: the script, without `.py`.
    ///   - folder: a folder of its own.
    init(_ name: String, in folder: URL, _ arguments: [String] = []) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", Self.scripts.appending(path: name + ".py").path, folder.path] + arguments
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
        try process.run()
        let bytes = output.fileHandleForReading.availableData
        guard let line = try? JSONDecoder().decode([String: String].self, from: bytes) else {
            try? input.fileHandleForWriting.close()
            let why = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
            throw Program.Failure("the server \(name) does not start: \(why.suffix(1_000))")
        }
        (self.line, self.folder) = (line, folder)
    }

    deinit { stop() }

    /// Ends the server as a power cut would.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// The address below which uploads go, without a slash at its end for services with paths.
    var address: String { line["bucket"].map { "\(url)/\($0)" } ?? (line["user"] == nil ? url : trimmed) }
    private var url: String { line["url"] ?? "" }
    private var trimmed: String { url.hasSuffix("/") ? String(url.dropLast()) : url }
    var user: String { line["user"] ?? line["key"] ?? "ada" }
    var secret: String { line["password"] ?? line["secret"] ?? "swordfish" }
    var kind: String { line["bucket"] == nil ? "password" : "s3" }

    /// The files that have arrived as a whole: their paths below the folder of the server, and their sizes. For S3 the server is asked.
    func files() throws -> [String: Int] {
        guard line["bucket"] == nil else { return try objects() }
        let root = URL(filePath: line["folder"] ?? folder.path)
        var found: [String: Int] = [:]
        for case let path as String in FileManager.default.enumerator(atPath: root.path) ?? .init() {
            let attributes = try FileManager.default.attributesOfItem(atPath: root.appending(path: path).path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
            found[path] = attributes[.size] as? Int
        }
        return found
    }

    private func objects() throws -> [String: Int] {
        let list = try curl(["\(address)?list-type=2"])
        var found: [String: Int] = [:]
        for part in list.components(separatedBy: "<Contents>").dropFirst() {
            func element(_ name: String) -> String? {
                part.components(separatedBy: "<\(name)>").dropFirst().first?.components(separatedBy: "</").first
            }
            if let key = element("Key"), let size = element("Size").flatMap({ Int($0) }) { found[key] = size }
        }
        return found
    }

    /// Makes a request as the person of the server.
    func curl(_ arguments: [String]) throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        var words = ["curl", "-s", "--noproxy", "*", "--user", "\(user):\(secret)"]
        if kind == "s3" {
            words += ["--aws-sigv4", "aws:amz:us-east-1:s3", "-H", "x-amz-content-sha256: UNSIGNED-PAYLOAD"]
        }
        process.arguments = words + arguments
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
