import ShareModel
import Testing

/// A behavior of the mock in every delivery, and the expected outcome.
struct MockCase: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let outcome: DeliveryOutcome
    /// A part of the expected reason; `nil` if no reason is expected.
    let why: String?
    var stall = 120
    var startup = 120
    var options: [String] = []

    private init(_ arguments: String, _ outcome: DeliveryOutcome, _ why: String? = nil) {
        self.arguments = arguments.split(separator: " ").map(String.init)
        self.outcome = outcome
        self.why = why
    }

    var testDescription: String { (arguments + options).joined(separator: " ") }

    /// The case with short timeouts, because the sink lets one of them run out.
    private func clocks(stall: Int = 120, startup: Int = 120) -> MockCase {
        var copy = self
        (copy.stall, copy.startup) = (stall, startup)
        return copy
    }

    private var open: MockCase {
        var copy = self
        copy.options = ["--no-sandbox"]
        return copy
    }

    static let all = starts + lines + answers + results + requests + ends + outside

    private static let starts = [
        MockCase("good", .delivered),
        MockCase("garbage-before-hello", .pending, "cannot be started: the sink broke the protocol"),
        MockCase("wrong-id worse", .pending, "its hello names worse"),
        MockCase("exit-at-start", .pending, "ended with status 1"),
        MockCase("never-ready", .pending, "no ready within 1 seconds").clocks(startup: 1),
        MockCase("hello-and-ready-at-once", .delivered),
        MockCase("refuse-unknown-keys", .delivered),
        MockCase("refuse-unknown-delivery-keys", .delivered),
        MockCase("refuse-unknown-features", .delivered),
        MockCase("ignore-requires", .delivered),
        MockCase("ignore-version", .delivered),
    ]

    private static let lines = [
        MockCase("read-is-line", .delivered),
        MockCase("read-ends-line", .delivered),
        MockCase("short-lines", .delivered),
        MockCase("garbage", .quarantined, "broke the protocol"),
        MockCase("nonsense", .quarantined, "broke the protocol"),
        MockCase("flood-lines", .quarantined, "broke the protocol"),
        MockCase("long-line", .quarantined, "1048576"),
        MockCase("half-line", .quarantined, "no line within 1 seconds").clocks(stall: 1),
        MockCase("flood-output", .quarantined, "1048576"),
        MockCase("flood-errors", .delivered),
    ]

    private static let answers = [
        MockCase("hang", .quarantined, "no line within 1 seconds").clocks(stall: 1),
        MockCase("die 9", .quarantined, "died of SIGKILL"),
        MockCase("die 11", .quarantined, "a memory fault"),
        MockCase("die 6", .quarantined, "an abort of its own"),
        MockCase("die 15", .quarantined, "died of SIGTERM"),
        // SIGXCPU of its own, without any use of time.
        MockCase("die 24", .quarantined, "its limit of processor time (SIGXCPU); this delivery made it crash 2 times"),
        MockCase("die-on-empty", .delivered),
        MockCase("die-late-on-empty", .delivered),
        MockCase("die-on-odd-name", .delivered),
        MockCase("exit 3", .quarantined, "its last words: I have had enough"),
        MockCase("exit 0", .quarantined, "ended with status 0"),
        MockCase("acknowledge-twice", .delivered),
        MockCase("acknowledge-another", .quarantined, "does not have"),
        MockCase("acknowledge-and-die", .delivered),
        MockCase("acknowledge-and-exit", .delivered),
        MockCase("extra-answers", .quarantined, "does not have"),
        MockCase("fail transient", .pending, "as asked"),
        MockCase("fail permanent", .failed, "as asked"),
        MockCase("fail auth", .failed, "as asked"),
        MockCase("fail nonsense", .quarantined, "broke the protocol"),
        MockCase("decline-without-why", .declined),
        MockCase("slow 2", .quarantined, "no line within 1 seconds").clocks(stall: 1),
        MockCase("fickle", .delivered),
        MockCase("fickle-process", .delivered),
        MockCase("product-without-type", .delivered),
        MockCase("trips-over-itself", .delivered),
    ]

    private static let results = [
        MockCase("metadata-deep", .failed, "levels deep"),
        MockCase("metadata-many", .failed, "its metadata has 16386 values; 16384 are allowed"),
        MockCase("metadata-large", .failed, "its metadata takes"),
        MockCase("metadata-growing", .failed, "its metadata takes"),
        MockCase("metadata-list", .failed, "no JSON object"),
        MockCase("product-link", .failed, "link"),
        MockCase("product-upward", .failed, ".."),
        MockCase("product-absolute", .failed, "relative"),
        MockCase("product-fifo", .failed, "FIFO"),
        MockCase("product-folder", .failed, "folder"),
        MockCase("product-missing", .failed, "does not exist below out"),
        MockCase("product-huge", .failed, "larger"),
        MockCase("fill-disk", .delivered),
        MockCase("change-content", .quarantined, "cannot be written"),
        MockCase("write-elsewhere", .delivered),
    ]

    private static let requests = [
        MockCase("ignore-check --features check", .delivered),
        MockCase("answer-after-cancel --features cancel --in-flight 4", .delivered),
        MockCase("die-of-stray-cancel", .delivered),
        MockCase("slow 9 --features cancel", .quarantined, "no line within 1 seconds").clocks(stall: 1),
        MockCase("hang --features cancel", .quarantined, "no line within 1 seconds").clocks(stall: 1),
        MockCase("one-at-a-time --in-flight 3", .delivered).clocks(stall: 5),
        MockCase("never-enough --max-deliveries 1", .delivered),
    ]

    private static let ends = [
        MockCase("ignore-goodbye", .delivered),
        MockCase("fail-at-goodbye", .delivered),
        MockCase("ignore-end-of-input", .delivered),
        MockCase("ignore-sigterm", .delivered),
        MockCase("ignore-sigterm hang", .quarantined, "no line within 1 seconds").clocks(stall: 1),
        MockCase("grandchild", .delivered),
        MockCase("grandchild die", .quarantined, "died of SIGKILL"),
    ]

    private static let outside = [
        MockCase("good", .delivered).open,
        MockCase("die 11", .quarantined, "a memory fault").open,
        MockCase("hang", .quarantined, "no line within 1 seconds").clocks(stall: 1).open,
        MockCase("ignore-sigterm hang", .quarantined, "no line within 1 seconds").clocks(stall: 1).open,
        MockCase("grandchild", .delivered).open,
        MockCase("grandchild die", .quarantined, "died of SIGKILL").open,
        MockCase("product-link", .failed, "link").open,
        MockCase("fill-disk", .delivered).open,
        // Without the sandbox the sink gets a copy of the content, and changing the copy is harmless.
        MockCase("change-content", .delivered).open,
    ]
}
