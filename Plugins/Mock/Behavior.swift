/// The behaviors of the mock. The raw values are the names on the command line.
enum Behavior: String, CaseIterable {
    /// Follows the protocol.
    case good

    // From the start of the process to `ready`.
    case garbageBeforeHello = "garbage-before-hello"
    /// Value: the wrong id.
    case wrongID = "wrong-id"
    /// States a later version of the protocol in its hello.
    case wrongVersion = "wrong-version"
    case exitAtStart = "exit-at-start"
    case neverReady = "never-ready"
    case helloAndReadyAtOnce = "hello-and-ready-at-once"
    case refuseUnknownKeys = "refuse-unknown-keys"
    case refuseUnknownFeatures = "refuse-unknown-features"
    case ignoreRequires = "ignore-requires"
    case ignoreVersion = "ignore-version"

    // Lines.
    /// Treats each read as one line.
    case readIsLine = "read-is-line"
    /// Treats the end of a read as the end of a line.
    case readEndsLine = "read-ends-line"
    /// Fails on a line of more than 64 KiB.
    case shortLines = "short-lines"
    case garbage
    /// Sends a message with an unknown name.
    case nonsense
    /// Writes lines that are no messages, without end.
    case floodLines = "flood-lines"
    case longLine = "long-line"
    case halfLine = "half-line"
    case floodOutput = "flood-output"
    /// Writes 4 MiB to its log before it answers; this is not a fault.
    case floodErrors = "flood-errors"

    // Answers.
    case hang
    /// Uses processor time without end.
    case spin
    /// Value: the number of the signal.
    case die
    case dieOnEmpty = "die-on-empty"
    /// The same, but after its answer.
    case dieLateOnEmpty = "die-late-on-empty"
    /// Crashes if a name has a line feed.
    case dieOnOddName = "die-on-odd-name"
    /// Value: the exit status.
    case exit
    case refuseUnknownDeliveryKeys = "refuse-unknown-delivery-keys"
    case acknowledgeTwice = "acknowledge-twice"
    case acknowledgeAnother = "acknowledge-another"
    case acknowledgeAndDie = "acknowledge-and-die"
    case acknowledgeAndExit = "acknowledge-and-exit"
    /// Also answers three deliveries that the host never sent.
    case extraAnswers = "extra-answers"
    /// Values: the class; the number of failures, unlimited if absent; `retry_after_ms`.
    case fail
    case declineWithoutWhy = "decline-without-why"
    /// Value: the number of deliveries that must arrive before it answers the first.
    case slow
    /// Gives a different answer every time.
    case fickle
    /// Gives different answers in different processes.
    case fickleProcess = "fickle-process"
    /// States an invalid type for its product.
    case productWithoutType = "product-without-type"
    /// Leaves a mark for the key while it works, and fails if it finds an old mark.
    case tripsOverItself = "trips-over-itself"

    // Metadata and products.
    case metadataDeep = "metadata-deep"
    case metadataLarge = "metadata-large"
    case metadataMany = "metadata-many"
    case metadataGrowing = "metadata-growing"
    case metadataList = "metadata-list"
    /// Needs a secret.
    case metadataSecret = "metadata-secret"
    case productLink = "product-link"
    /// Value: the path instead of `../in/0`.
    case productUpward = "product-upward"
    case productAbsolute = "product-absolute"
    case productFIFO = "product-fifo"
    case productFolder = "product-folder"
    case productMissing = "product-missing"
    case productHuge = "product-huge"
    /// Enlarges its products after the answer, while the host copies them.
    case productGrowing = "product-growing"
    /// Value: the number of files, 1,500 if absent.
    case fillDisk = "fill-disk"
    case changeContent = "change-content"
    case writeElsewhere = "write-elsewhere"

    // Requests.
    case ignoreCheck = "ignore-check"
    case answerAfterCancel = "answer-after-cancel"
    case dieOfStrayCancel = "die-of-stray-cancel"
    /// Accepts one delivery at a time, even if its hello promises more.
    case oneAtATime = "one-at-a-time"
    /// Continues after `max_deliveries` answers.
    case neverEnough = "never-enough"

    /// Lets the host make a request. Values: the method, the URL, and `account`, or the name and value of a header with a colon between them.
    case request
    /// The same, and it waits for another answer if the host has none.
    case requestOrHang = "request-or-hang"
    /// The same as ``request`` with the name of an open one.
    case requestTwice = "request-twice"
    /// For a delivery that it does not have.
    case requestForAnother = "request-for-another"
    /// More than a process may have open.
    case requestFlood = "request-flood"
    /// Answers its delivery before the request is answered.
    case requestAndAnswer = "request-and-answer"

    /// Hands its delivery over to a transfer, with the values of ``request``, `resumable:KIND`, `state:TEXT` and `download`, and concludes with what that brought.
    case transfer
    /// The same, but it concludes with `fail` of the class `transient`.
    case transferAndFail = "transfer-and-fail"
    /// Hands its delivery over again and again.
    case transferForever = "transfer-forever"
    /// Answers its delivery after it has handed it over.
    case transferAndAnswer = "transfer-and-answer"
    /// Crashes at each end of a transfer but the second.
    case transferAndDie = "transfer-and-die"

    /// Values: a ``StopPoint``, and a file that it creates there. Then it waits forever.
    case stop

    // The end.
    case ignoreGoodbye = "ignore-goodbye"
    case failAtGoodbye = "fail-at-goodbye"
    case ignoreEndOfInput = "ignore-end-of-input"
    /// Value: `hang` makes it hang as well.
    case ignoreSIGTERM = "ignore-sigterm"
    /// Leaves a process in its own session, which keeps the pipes open. Value: `die` makes it die as well.
    case grandchild
}
