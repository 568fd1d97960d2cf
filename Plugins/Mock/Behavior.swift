/// The ways in which the mock behaves, each by the name that its arguments have.
enum Behavior: String, CaseIterable {
    /// Keeps the protocol.
    case good

    // From the start to `ready`.
    case garbageBeforeHello = "garbage-before-hello"
    /// Value: the id.
    case wrongID = "wrong-id"
    case exitAtStart = "exit-at-start"
    case neverReady = "never-ready"
    case helloAndReadyAtOnce = "hello-and-ready-at-once"
    case refuseUnknownKeys = "refuse-unknown-keys"
    case refuseUnknownFeatures = "refuse-unknown-features"
    case ignoreRequires = "ignore-requires"
    case ignoreVersion = "ignore-version"

    // Lines.
    /// Takes each read for one line.
    case readIsLine = "read-is-line"
    /// Gives up on a line of more than 64 KiB.
    case shortLines = "short-lines"
    case garbage
    /// A message of no known name.
    case nonsense
    case longLine = "long-line"
    case halfLine = "half-line"
    case floodOutput = "flood-output"
    /// Writes 4 MiB to its log, and then answers: no fault at all.
    case floodErrors = "flood-errors"

    // Answers.
    case hang
    /// Value: the signal's number.
    case die
    case dieOnEmpty = "die-on-empty"
    /// Dies of a name with a line feed.
    case dieOnOddName = "die-on-odd-name"
    /// Value: the status.
    case exit
    case acknowledgeTwice = "acknowledge-twice"
    case acknowledgeAnother = "acknowledge-another"
    case acknowledgeAndDie = "acknowledge-and-die"
    case acknowledgeAndExit = "acknowledge-and-exit"
    /// Answers three deliveries that were never given, besides.
    case extraAnswers = "extra-answers"
    /// Values: the class, how often, for ever without, and after how many milliseconds it wants to be tried again.
    case fail
    case declineWithoutWhy = "decline-without-why"
    /// Value: how many deliveries must have arrived before it answers any.
    case slow
    /// No answer is like the one before.
    case fickle
    /// Says that its product is of a type that is none.
    case productWithoutType = "product-without-type"
    /// Marks the key in its home while it is at work, and fails where it finds an old mark.
    case tripsOverItself = "trips-over-itself"

    // Metadata and products.
    case metadataDeep = "metadata-deep"
    case metadataLarge = "metadata-large"
    case metadataGrowing = "metadata-growing"
    case metadataList = "metadata-list"
    case productLink = "product-link"
    case productUpward = "product-upward"
    case productAbsolute = "product-absolute"
    case productFIFO = "product-fifo"
    case productFolder = "product-folder"
    case productMissing = "product-missing"
    case productHuge = "product-huge"
    /// Value: how many files; 1,500 without.
    case fillDisk = "fill-disk"
    case changeContent = "change-content"
    case writeElsewhere = "write-elsewhere"

    // Requests.
    case ignoreCheck = "ignore-check"
    case answerAfterCancel = "answer-after-cancel"
    case dieOfStrayCancel = "die-of-stray-cancel"
    /// Takes one delivery at a time, whatever its hello says.
    case oneAtATime = "one-at-a-time"
    /// Goes on after its `max_deliveries`.
    case neverEnough = "never-enough"

    /// Values: a ``StopPoint``, and the file that it makes there; then it waits for ever.
    case stop

    // The end.
    case ignoreGoodbye = "ignore-goodbye"
    case failAtGoodbye = "fail-at-goodbye"
    case ignoreEndOfInput = "ignore-end-of-input"
    /// Value: `hang`, and it does so, too.
    case ignoreSIGTERM = "ignore-sigterm"
    /// Leaves a process with a session of its own, which holds the pipes. Value: `die`, and it does so, too.
    case grandchild
}
