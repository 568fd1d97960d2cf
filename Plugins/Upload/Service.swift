import Foundation
import SinkKit

/// What a service wants: how its uploads look, and what its answers mean. A file of the folder `services` describes each one.
struct Service: Decodable, Equatable {
    /// What some answers mean.
    struct Rule: Decodable, Equatable {
        var status: [Int]
        /// What the body of the answer has; anything if `nil`.
        var has: String?
        var meaning: Answer.Meaning
        var why: String?

        enum CodingKeys: String, CodingKey {
            case status, has, why
            case meaning = "is"
        }
    }

    /// What an answer means.
    struct Answer: Equatable {
        enum Meaning: String, Decodable {
            case delivered
            /// The service has the content already.
            case duplicate
            /// The folder does not exist.
            case noFolder = "no-folder"
            /// Another try may succeed.
            case later
            case login
            case refused
        }

        var meaning: Meaning
        /// In words for a person, behind the status.
        var why: String?
    }

    struct Folders: Decodable, Equatable {
        var method: String
        var url: String
        /// The statuses that say that the folder is there already, besides those of success.
        var there: [Int]?
    }

    /// What people call it.
    var title: String
    var method: String
    /// Below the address of the account.
    var url: String
    var headers: [String: String]?
    var resumable: SinkMessage.Transfer.Resumption?
    /// Whether also small content is sent in the background, because no single request sends it.
    var alwaysInBackground: Bool?
    /// How a folder is made; `nil` if the service has none, or makes them itself.
    var folders: Folders?
    /// The answers that mean something else than the statuses of HTTP do. The first rule that fits counts.
    var answers: [Rule]?

    enum CodingKeys: String, CodingKey {
        case title, method, url, headers, resumable, folders, answers
        case alwaysInBackground = "always_in_background"
    }

    /// Whether uploads have a folder.
    var hasFolders: Bool { url.contains("{path}") }

    /// What an answer means.
    func answer(_ status: Int, _ text: String) -> Answer {
        let rule = answers?.first { $0.status.contains(status) && ($0.has.map(text.contains) ?? true) }
        if let rule { return Answer(meaning: rule.meaning, why: rule.why) }
        return switch status {
        case 200..<300: Answer(meaning: .delivered)
        case 401: Answer(meaning: .login)
        case 408, 425, 429, 500...: Answer(meaning: .later)
        case 403: Answer(meaning: .refused, why: "the person may not write there")
        case 413: Answer(meaning: .refused, why: "it is larger than the service takes")
        default: Answer(meaning: .refused)
        }
    }

    /// The longest description, in bytes.
    private static let limit = 64 << 10

    /// The service of a name.
    ///
    /// - Parameter folders: where descriptions are.
    /// - Throws: ``SinkFailure`` with the services that there are.
    static func named(_ name: String, in folders: [URL]) throws -> Service {
        let known = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0.path)) ?? [] }
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        guard known.contains(name) else {
            let list = Set(known).sorted().joined(separator: ", ")
            throw SinkFailure(.permanent, "there is no service '\(name)'; set 'service' to one of \(list)")
        }
        for folder in folders {
            guard let data = FileManager.default.contents(atPath: folder.appending(path: name + ".json").path) else {
                continue
            }
            do {
                guard data.count <= limit else { throw CocoaError(.fileReadTooLarge) }
                return try JSONDecoder().decode(Service.self, from: data)
            } catch {
                throw SinkFailure(.permanent, "the description of the service '\(name)' cannot be used: \(error)")
            }
        }
        throw SinkFailure(.permanent, "the description of the service '\(name)' cannot be read")
    }
}
