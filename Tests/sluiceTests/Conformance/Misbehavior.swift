import Testing

/// A way in which the mock breaks the protocol, and the check that must fail.
struct Misbehavior: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let check: String
    /// Short clocks are only for sinks that never answer. For the others they would fail on a busy machine.
    var startup: Duration?
    var stall: Duration?
    var grace: Duration?
    /// The secrets that its manifest asks for.
    var secrets: [String] = []

    init(_ arguments: String..., fails check: String) {
        self.arguments = arguments
        self.check = check
    }

    var testDescription: String { arguments.joined(separator: " ") }

    static let all: [Misbehavior] = starts + lines + answers + results + requests + ends

    private static let starts = [
        Misbehavior("garbage-before-hello", fails: "hello/answer"),
        Misbehavior("wrong-id", fails: "hello/answer"),
        Misbehavior("wrong-version", fails: "hello/answer"),
        Misbehavior("exit-at-start", fails: "hello/answer"),
        Misbehavior("never-ready", fails: "configure/ready").hanging(startup: .seconds(2)),
        Misbehavior("refuse-unknown-keys", fails: "hello/unknown-keys"),
        Misbehavior("refuse-unknown-features", fails: "hello/unknown-features"),
        Misbehavior("ignore-requires", fails: "hello/requires").hanging(grace: .seconds(5)),
        Misbehavior("ignore-version", fails: "hello/version").hanging(grace: .seconds(5)),
    ]

    private static let lines = [
        Misbehavior("read-is-line", fails: "lines/together"),
        Misbehavior("read-ends-line", fails: "lines/in-pieces"),
        Misbehavior("short-lines", fails: "lines/long"),
        Misbehavior("garbage", fails: "output/only-messages"),
        Misbehavior("nonsense", fails: "output/only-messages").hanging(stall: .seconds(1)),
        Misbehavior("flood-lines", fails: "output/only-messages").hanging(stall: .seconds(1)),
        Misbehavior("long-line", fails: "output/line-length"),
        Misbehavior("flood-output", fails: "output/line-length"),
        Misbehavior("half-line", fails: "deliver/answer").hanging(stall: .seconds(1)),
    ]

    private static let answers = [
        Misbehavior("hang", fails: "deliver/answer").hanging(stall: .seconds(1)),
        Misbehavior("slow", "2", fails: "deliver/answer").hanging(stall: .seconds(1)),
        Misbehavior("die", "9", fails: "deliver/answer"),
        Misbehavior("die", "11", fails: "deliver/answer"),
        Misbehavior("die", "6", fails: "deliver/answer"),
        Misbehavior("die", "15", fails: "deliver/answer"),
        Misbehavior("exit", "3", fails: "deliver/answer"),
        Misbehavior("exit", "0", fails: "deliver/answer"),
        Misbehavior("die-on-empty", fails: "hostile/empty"),
        Misbehavior("die-late-on-empty", fails: "hostile/empty"),
        Misbehavior("die-on-odd-name", fails: "hostile/name"),
        Misbehavior("acknowledge-twice", fails: "deliver/once"),
        Misbehavior("acknowledge-another", fails: "deliver/own-id").hanging(stall: .seconds(1)),
        Misbehavior("extra-answers", fails: "deliver/own-id"),
        Misbehavior("acknowledge-and-die", fails: "deliver/alive"),
        Misbehavior("acknowledge-and-exit", fails: "deliver/alive"),
        Misbehavior("decline-without-why", fails: "done/why"),
        Misbehavior("refuse-unknown-delivery-keys", fails: "deliver/unknown-keys"),
        Misbehavior("fickle", fails: "again/same-process"),
        Misbehavior("fickle-process", fails: "again/new-process"),
        Misbehavior("trips-over-itself", fails: "again/after-a-kill"),
    ]

    private static let results = [
        Misbehavior("metadata-deep", fails: "metadata/depth"),
        Misbehavior("metadata-large", fails: "metadata/size"),
        Misbehavior("metadata-many", fails: "metadata/values"),
        Misbehavior("metadata-growing", fails: "metadata/size"),
        Misbehavior("metadata-list", fails: "metadata/object"),
        Misbehavior("metadata-secret", fails: "metadata/secrets").asking(for: "token"),
        Misbehavior("product-without-type", fails: "products/words"),
        Misbehavior("product-upward", fails: "products/path"),
        // A host that read this file would never end.
        Misbehavior("product-upward", String(repeating: "../", count: 20) + "dev/zero", fails: "products/path"),
        Misbehavior("product-absolute", fails: "products/path"),
        Misbehavior("product-link", fails: "products/regular-file"),
        Misbehavior("product-fifo", fails: "products/regular-file"),
        Misbehavior("product-folder", fails: "products/regular-file"),
        Misbehavior("product-missing", fails: "products/regular-file"),
        Misbehavior("product-huge", fails: "products/size"),
        Misbehavior("fill-disk", fails: "products/count"),
        Misbehavior("change-content", fails: "content/unchanged"),
        Misbehavior("write-elsewhere", fails: "content/elsewhere"),
    ]

    private static let requests = [
        Misbehavior("ignore-check", "--features", "check", fails: "check/answer").hanging(stall: .seconds(5)),
        Misbehavior("die-of-stray-cancel", fails: "cancel/unknown"),
        Misbehavior("answer-after-cancel", "--features", "cancel", "--in-flight", "4", fails: "cancel/open"),
        Misbehavior("request", "GET", "/", "Authorization:x", "--features", "transfer", fails: "request/form"),
        Misbehavior("request-or-hang", "GET", "/", "--features", "transfer", fails: "request/failure")
            .hanging(stall: .seconds(5)),
        Misbehavior("transfer-forever", "--features", "transfer", fails: "transfer/end"),
        Misbehavior("one-at-a-time", "--in-flight", "3", fails: "flight/several").hanging(stall: .seconds(5)),
        Misbehavior("never-enough", "--max-deliveries", "1", fails: "flight/max-deliveries")
            .hanging(grace: .seconds(5)),
    ]

    private static let ends = [
        Misbehavior("ignore-goodbye", fails: "end/goodbye").hanging(grace: .seconds(5)),
        Misbehavior("fail-at-goodbye", fails: "end/goodbye"),
        Misbehavior("ignore-end-of-input", fails: "end/input").hanging(grace: .seconds(5)),
        Misbehavior("ignore-sigterm", fails: "end/sigterm").hanging(grace: .seconds(5)),
        Misbehavior("grandchild", fails: "end/nothing-left").hanging(grace: .seconds(5)),
    ]

    private func hanging(
        startup: Duration? = nil, stall: Duration? = nil, grace: Duration? = nil
    ) -> Misbehavior {
        var copy = self
        (copy.startup, copy.stall, copy.grace) = (startup, stall, grace)
        return copy
    }
    private func asking(for secrets: String...) -> Misbehavior {
        var copy = self
        copy.secrets = secrets
        return copy
    }
}
