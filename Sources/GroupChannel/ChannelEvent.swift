internal import ShareModel
internal import Synchronization
public import SystemPackage

/// What happens on a connection, in order.
public enum ChannelEvent: Sendable {
    /// A message came.
    case message(ReceivedMessage)
    /// A request came, which waits for an answer.
    case request(ReceivedRequest)
    /// The other side refused a message of this side. A refused request throws instead.
    case refused(Refusal)
    /// The connection has ended. No event follows.
    case invalidated(Invalidation)
}

/// A message of the other side.
public struct ReceivedMessage: Sendable {
    /// The value, of a type in ``ChannelTypes``.
    public let value: any ChannelMessage
    /// The files that came with it.
    public let files: ReceivedFiles
}

/// A request of the other side. It gets exactly one answer: one that is released without an answer is refused.
public final class ReceivedRequest: Sendable {
    /// The value, of a type in ``ChannelTypes``.
    public let value: any ChannelRequest
    /// The files that came with it.
    public let files: ReceivedFiles
    private let id: Int64
    private let link: Link
    private let isAnswered = Atomic(false)

    init(_ id: Int64, _ value: any ChannelRequest, _ files: ReceivedFiles, _ link: Link) {
        (self.id, self.value, self.files, self.link) = (id, value, files, link)
    }

    deinit { refuse(.unanswered, why: "the receiver did not answer") }

    /// Answers with a value, and with open files, which stay the caller's. It returns when the answer lies in the queue.
    ///
    /// An answer that exceeds a limit is sent as a refusal, so that the other side does not wait.
    ///
    /// - Throws: ``ChannelError`` if the connection has ended, if the queue is full, or if the answer exceeds a limit. A second
    ///   answer does nothing.
    public func answer<Answer: Codable & Sendable>(_ answer: Answer, files: [FileDescriptor] = []) throws(ChannelError)
    {
        guard take() else { return }
        do throws(ChannelError) {
            try link.send(.response(id, answer, descriptors: files.count), files)
        } catch {
            refuse(error.code == .tooLarge ? .tooLarge : .unanswered, error.message)
            throw error
        }
    }

    /// Refuses the request.
    public func refuse(_ code: Refusal.Code, why: String) {
        guard take() else { return }
        refuse(code, why)
    }

    /// If the queue has no room for the refusal, the other side does not read. The connection ends, so that it does not wait for an
    /// answer forever.
    private func refuse(_ code: Refusal.Code, _ why: String) {
        let refusal = Refusal(code, why.cut(toBytes: Self.whyLimit), id: id, type: name)
        do throws(ChannelError) { try link.send(.refused(refusal), []) } catch { link.end(.tooSlow) }
    }

    /// The most bytes of a reason.
    private static let whyLimit = 1_000

    private var name: String { type(of: value).type }

    private func take() -> Bool {
        guard !isAnswered.exchange(true, ordering: .relaxed) else { return false }
        link.closeMessage()
        return true
    }
}

/// Open files that came with a message. Those that are not taken are closed with this value.
public final class ReceivedFiles: Sendable {
    /// `nil` once they are taken.
    private let descriptors: Mutex<[FileDescriptor]?>
    /// The number of files that came.
    public let count: Int

    init(_ descriptors: [FileDescriptor]) {
        count = descriptors.count
        self.descriptors = Mutex(descriptors)
    }

    deinit { for descriptor in take() { try? descriptor.close() } }

    /// The files, in the order in which they were sent. The caller closes them. A second call returns none.
    public func take() -> [FileDescriptor] { descriptors.withLock { $0.take() } ?? [] }
}
