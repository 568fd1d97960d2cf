import FoundationEssentials
import ShareModel

extension Receipt.Source {
    /// The path's bytes.
    var bytes: [UInt8] {
        // `path` has replacement characters for bytes that are not UTF-8, so it does not name the file then.
        guard let encoded = pathBase64, let data = Data(base64Encoded: encoded) else { return Array(path.utf8) }
        return Array(data)
    }

    /// The path, made safe for a terminal; relative to the current folder if it lies below that.
    var text: String {
        if kind == .standardInput { return "standard input" }
        // The catalog keeps no name for a package that was handed in.
        if kind == .submitted, path == "-" { return "handed in" }
        let folder = Environment.currentFolder.bytes
        // Without a current folder, nothing lies below it.
        guard !folder.isEmpty else { return SafeText.escape(bytes: bytes) }
        let here = folder + Array("/".utf8)
        return SafeText.escape(bytes: bytes.starts(with: here) ? Array(bytes.dropFirst(here.count)) : bytes)
    }

    /// A sentence about the source or a file in it, without the source's own path at its start.
    func shortened(_ sentence: String) -> String {
        guard kind != .standardInput else { return sentence }
        if sentence.hasPrefix(path + "/") { return String(sentence.dropFirst(path.count + 1)) }
        return sentence.hasPrefix(path + " ") ? "it" + sentence.dropFirst(path.count) : sentence
    }

    /// The path's last component, made safe for a terminal. A web address and a submitted package have a name instead.
    var name: String {
        guard ![.standardInput, .submitted, .link].contains(kind) else { return text }
        let last = bytes.split(separator: UInt8(ascii: "/")).last.map(Array.init)
        return SafeText.escape(bytes: last ?? bytes)
    }
}

extension Receipt {
    /// The package's name for people: that of its file, or else its title or the name of the file that leads it.
    var name: String {
        guard source.kind == .standardInput || source.kind == .submitted else { return source.name }
        return SafeText.escape(name: item?.title ?? leadName.map(InventedName.words) ?? source.text)
    }

    /// The providers that were not refused: stored ones and duplicates.
    var present: [Provider] { providers.filter { $0.outcome != .failed } }

    /// Whether a person has not seen its warnings. A duplicate that arrived just so before repeats those of its
    /// package.
    var hasNewWarnings: Bool { hasWarnings && !(outcome == .duplicate && isKnownArrival) }

    var deliveries: [DeliveryRecord] { providers.flatMap(\.deliveries) }
}

extension Receipt.Provider {
    /// The name and the reason, or the reason alone if it begins with the name.
    var trouble: StyledLine { reason.hasPrefix(name + " ") ? "\(reason)" : "\(name: name): \(reason)" }
}

extension PackageOutcome {
    var style: StyledLine.Style {
        switch self {
        case .accepted: .good
        case .partial: .warning
        case .failed: .bad
        case .duplicate, .skipped: .dim
        }
    }

    /// The outcome's word, padded to the longest one.
    var column: StyledLine { StyledLine(rawValue, style, columns: 9) }
}

extension DeliveryOutcome {
    var style: StyledLine.Style {
        switch self {
        case .delivered: .good
        case .failed, .quarantined: .bad
        case .pending: .warning
        case .declined, .duplicate: .dim
        }
    }

    var isTrouble: Bool { self == .failed || self == .quarantined }
}
