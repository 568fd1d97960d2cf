internal import GroupChannel

/// Connects the caller to a session, so that it gets the events.
package struct JoinOrder: ChannelRequest {
    package typealias Answer = JoinAnswer
    package static let type = "transfer.join"
    package var session: String
    /// Whether to join only if there is an event.
    package var onlyForEvents: Bool

    package init(session: String, onlyForEvents: Bool = false) {
        (self.session, self.onlyForEvents) = (session, onlyForEvents)
    }
}

package enum JoinAnswer: Codable, Sendable, Equatable {
    case joined
    /// Another process is connected to the session.
    case inUseByAnotherProcess(process: Int32)
    /// There is no event in it.
    case refused(why: String)
}

/// Records a transfer. It is durable when the answer comes.
package struct RecordOrder: ChannelRequest {
    package typealias Answer = RecordAnswer
    package static let type = "transfer.record"
    package var order: TransferOrder

    package init(_ order: TransferOrder) { self.order = order }
}

package enum RecordAnswer: Codable, Sendable, Equatable {
    case recorded(number: Int64)
    case refused(RequestFailure)
}

/// Changes a transfer.
package struct ChangeOrder: ChannelRequest {
    package typealias Answer = ChangeAnswer
    package static let type = "transfer.change"

    package enum Change: String, Codable, Sendable {
        /// Ends it. The service may have got a part.
        case cancel
        /// Tries it now.
        case retry
        /// Its end was used. The next order with its key begins it again.
        case use
    }

    package var key: String
    package var change: Change
    /// The number of the end that was used; `nil` for the last one.
    package var end: Int64?

    package init(_ key: String, _ change: Change, end: Int64? = nil) {
        (self.key, self.change, self.end) = (key, change, end)
    }
}

package enum ChangeAnswer: String, Codable, Sendable {
    case done
    /// There is no such transfer, or it is in no state for that.
    case notPossible
}

/// Ends the caller's connection to its session.
package struct LeaveOrder: ChannelRequest {
    package typealias Answer = LeaveAnswer
    package static let type = "transfer.leave"

    package enum Manner: String, Codable, Sendable {
        /// The session goes on without a process.
        case disconnect
        /// The session takes no further transfer, and ends with its last one.
        case finishAndInvalidate
        /// All transfers of the session are canceled.
        case invalidateAndCancel
    }

    package var manner: Manner

    package init(_ manner: Manner) { self.manner = manner }
}

package enum LeaveAnswer: String, Codable, Sendable {
    case left
    /// The caller was connected to no session, or not any more.
    case disconnected
}

/// What has happened in the caller's session, in order. The next ends come when these are confirmed.
package struct TransferEvents: ChannelMessage {
    package static let type = "transfer.events"
    package var events: [TransferEvent]

    package init(_ events: [TransferEvent]) { self.events = events }
}

/// Something that has happened to a transfer. Its end comes until it is confirmed; its progress may be lost.
package struct TransferEvent: Codable, Sendable, Equatable {
    package enum Kind: Codable, Sendable, Equatable {
        case progress(sent: Int64, size: Int64)
        /// It is tried again later, at a time in milliseconds since 1970.
        case waiting(why: String, until: Int64)
        case finished
        case failed(RequestFailure)
        case canceled
        /// No end is left that is not confirmed.
        case drained
    }

    /// The number of the transfer; 0 for ``Kind/drained``.
    package var number: Int64
    package var key: String
    package var delivery: Int64
    package var kind: Kind
    /// The number of the end, by which it is confirmed; `nil` if it is none.
    package var end: Int64?

    package init(number: Int64, key: String, delivery: Int64, kind: Kind, end: Int64? = nil) {
        (self.number, self.key, self.delivery, self.kind, self.end) = (number, key, delivery, kind, end)
    }
}

/// Confirms ends, so that they do not come again. It has no answer: what is lost comes again.
package struct ConfirmOrder: ChannelMessage {
    package static let type = "transfer.confirm"
    /// ``TransferEvent/end``
    package var ends: [Int64]

    package init(_ ends: [Int64]) { self.ends = ends }
}

/// Says that the caller is still at work on an event.
package struct WorkingNotice: ChannelMessage {
    package static let type = "transfer.working"

    package init() {}
}

/// Asks the process to look for what is due, after a start of the program or a change of a login.
package struct LookOrder: ChannelRequest {
    package typealias Answer = LookAnswer
    package static let type = "transfer.look"
    /// Whether transfers that wait for a later try are tried now.
    package var isNow: Bool

    package init(isNow: Bool) { self.isNow = isNow }
}

package struct LookAnswer: Codable, Sendable, Equatable {
    /// The transfers that are open.
    package var open: Int

    package init(open: Int) { self.open = open }
}
