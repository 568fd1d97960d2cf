import Accounts
import ArgumentParser
import Files
import GroupContainer
import Ingestion
import ShareModel
import SinkHost

/// The exit statuses that scripts rely on, and the mapping of every error to one of them.
enum ExitStatus: Int32 {
    /// Everything is stored and delivered, or only stored if the run makes no deliveries.
    case success = 0
    /// A package was partial or failed; a delivery failed, was quarantined or is open; or a request had no answer.
    case incomplete = 1
    /// The container cannot be used.
    case container = 2
    case usage = 64
    /// Interrupted, after the commits under way.
    case interrupted = 130

    /// The status of a run that was not interrupted.
    init(_ summary: Summary, delivers: Bool) {
        let isDone = delivers ? summary.isSettled : summary.isComplete
        self = isDone ? .success : .incomplete
    }

    init(_ deliveries: Summary.Deliveries) {
        let open = deliveries.failed + deliveries.quarantined + deliveries.pending
        self = open == 0 ? .success : .incomplete
    }

    init(_ code: IngestionError.Code) {
        self =
            switch code {
            case .container: .container
            case .notFound: .incomplete
            case .usage: .usage
            }
    }

    /// Ends the command with this status.
    ///
    /// - Throws: `ExitCode`, unless the status is success.
    func leave() throws {
        if self != .success { throw ExitCode(rawValue) }
    }

    /// Prints the error on standard error, and returns the status to exit with.
    ///
    /// - Parameter containerOption: see ``SummaryText/containerOption``.
    /// - Returns: `nil` for usage errors, requests for help and statuses already chosen, which ArgumentParser handles.
    static func report(_ error: any Error, to console: Console, containerOption: StyledLine) -> Int32? {
        func say(_ message: String, _ remedy: Remedy?) {
            let sentence = RemedyText.sentence(message, remedy, containerOption: containerOption)
            console.say("\("sluice:", .bad) \(sentence)")
        }
        switch error {
        case let error as IngestionError:
            say(error.message, error.remedy)
            return ExitStatus(error.code).rawValue
        case let error as ContainerError:
            // One table of codes: the errors of a container mean the same, whichever module reports them.
            return report(IngestionError(error), to: console, containerOption: containerOption)
        case let error as SinkHostError:
            say(error.message, error.remedy)
            return (error.code == .notFound ? ExitStatus.incomplete : .usage).rawValue
        case let error as AccountError:
            say(error.message, error.remedy)
            return incomplete.rawValue
        case let error as ShareFailure:
            say(error.error.message, error.error.remedy)
            return error.status
        case let error as OutputLost:
            if error.isQuiet { return success.rawValue }
            say("standard output cannot be written: \(error.errno.description)", nil)
            return incomplete.rawValue
        case is CancellationError:
            return interrupted.rawValue
        case is ExitCode:
            return nil
        case let error as FileError:
            say(error.message, error.remedy)
            return incomplete.rawValue
        default:
            // ArgumentParser has other statuses for its own errors. Any error that it does not know is a `.failure`.
            if Sluice.exitCode(for: error) != .failure { return nil }
            say(String(describing: error), nil)
            return incomplete.rawValue
        }
    }
}
