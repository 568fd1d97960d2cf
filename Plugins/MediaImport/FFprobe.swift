import Foundation
import SinkKit
import SinkTools

/// The program `ffprobe` of FFmpeg, which reads what a media file says about itself.
enum FFprobe {
    /// The longest time for one file, in seconds by the wall clock.
    static let seconds = 30
    /// The most bytes of the description of a file.
    static let outputLimit = 1 << 20
    /// The most bytes of ffprobe's messages that are looked at.
    static let messageLimit = 1 << 14
    /// The largest number of tracks of a file.
    static let maximumTracks = 200

    /// The formats that are read. Those that may name other files are not among them: playlists, DASH, `concat`, `sdp`,
    /// numbered pictures, scripts.
    static let formats = [
        "aa", "aac", "aax", "ac3", "aiff", "amr", "amrnb", "amrwb", "ape", "asf", "asf_o", "ast", "au", "av1", "avi",
        "caf",
        "dirac", "dsf", "dss", "dts", "dtshd", "dv", "eac3", "flac", "flic", "flv", "gxf", "h261", "h263", "h264",
        "hevc",
        "iff", "ircam", "ivf", "kux", "libopenmpt", "live_flv", "loas", "m4v", "matroska", "mlp", "mov", "mp3", "mpc",
        "mpc8", "mpeg", "mpegts", "mpegvideo", "mxf", "nsv", "nut", "obu", "ogg", "oma", "pva", "qcp", "rm", "smk",
        "sox",
        "swf", "tak", "truehd", "tta", "vc1", "vivo", "voc", "w64", "wav", "wtv", "wv", "xwma",
    ]

    /// What ffprobe says about a file.
    enum Answer {
        /// The description, and ffprobe's first complaint, if any.
        case described(MediaDescription, complaint: String?)
        /// The reason why there is no description, and whether the file is broken.
        case unreadable(problem: String, isDamaged: Bool)
    }

    /// Reads the open file `descriptor`.
    ///
    /// Ffprobe sees the name of a descriptor, never that of the file. So no name is taken for an option, an address or
    /// a pattern, and the content alone decides its format.
    static func describe(_ descriptor: Int32) throws -> Answer {
        guard let program = installedProgram("ffprobe") else {
            return .unreadable(problem: "ffprobe is missing; install ffmpeg", isDamaged: false)
        }
        let process = ChildProcess(
            program: program, arguments: arguments, file: descriptor, seconds: seconds,
            outputLimit: outputLimit, errorLimit: messageLimit)
        let (output, errors, ending) = try process.run()
        let complaint = Self.complaint(in: String(decoding: errors, as: UTF8.self))
        switch ending {
        case .exited(0): break
        case .exited: return refusal(complaint)
        case .outOfTime:
            return .unreadable(problem: "ffprobe does not end within \(seconds) s", isDamaged: false)
        case .tooMuchOutput:
            return .unreadable(problem: "its description is longer than \(outputLimit) bytes", isDamaged: false)
        case .signaled(SIGXCPU):
            return .unreadable(problem: "ffprobe needs too much processor time", isDamaged: false)
        case .signaled(let signal):
            return .unreadable(problem: "ffprobe crashes on it (signal \(signal))", isDamaged: true)
        }
        guard let description = try? JSONDecoder().decode(MediaDescription.self, from: Data(output)) else {
            return .unreadable(problem: "ffprobe's description of it cannot be read", isDamaged: false)
        }
        return .described(description, complaint: complaint)
    }

    private static let input = "file:/proc/self/fd/3"

    private static let arguments = [
        "-hide_banner", "-v", "error", "-protocol_whitelist", "file", "-format_whitelist",
        formats.joined(separator: ","),
        "-max_streams", "\(maximumTracks)", "-print_format", "json=compact=1", "-show_entries",
        "format=format_name,duration:format_tags"
            + ":stream=codec_type,codec_name,width,height,avg_frame_rate,duration"
            + ":stream_tags:stream_disposition=attached_pic:stream_side_data=rotation:chapter=id:chapter_tags=title",
        "-i", input,
    ]

    /// The first of ffprobe's messages, without addresses of memory and names of files.
    private static func complaint(in messages: String) -> String? {
        messages.split(whereSeparator: \.isNewline).lazy.compactMap { line -> String? in
            var line = line
            if line.hasPrefix("["), let end = line.firstRange(of: "] ") { line = line[end.upperBound...] }
            if line.hasPrefix(input + ": ") { line = line.dropFirst(input.count + 2) }
            let words = line.cleaned()
            return words.isEmpty || words.contains("/proc/") ? nil : words
        }.first
    }

    /// The answer for a file that ffprobe cannot open.
    private static func refusal(_ complaint: String?) -> Answer {
        switch complaint {
        case nil: .unreadable(problem: "ffprobe cannot read it", isDamaged: false)
        // Without another message before it, no format matched.
        case "Invalid data found when processing input":
            .unreadable(problem: "ffprobe knows no such format", isDamaged: false)
        case let complaint? where complaint.hasPrefix("Format not on whitelist"):
            .unreadable(problem: "its format is not read, because it may name other files", isDamaged: false)
        case let complaint?: .unreadable(problem: "ffprobe: \(complaint)", isDamaged: true)
        }
    }
}

extension Substring {
    fileprivate func cleaned() -> String { String(self).cleaned() }
}
