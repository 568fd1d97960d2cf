import Files
import GroupChannel
import ShareModel
import SystemPackage
import Transfers

/// Serves the connections of the container's processes.
struct Service: Sendable {
    let engine: Engine
    let tokens: Tokens

    let desk: Desk

    /// Serves a connection until it ends. Its short requests end with it; transfers go on.
    func serve(_ connection: ChannelConnection) async {
        await withDiscardingTaskGroup { group in
            let running = Running()
            for await event in connection.events {
                switch event {
                case .request(let request):
                    if let order = request.value as? RequestOrder {
                        let task = begin(order, request.files.take())
                        running.add(task, order.number)
                        group.addTask {
                            let end = await task.value
                            running.remove(order.number)
                            // The other side may have gone.
                            try? request.answer(end)
                        }
                    } else {
                        group.addTask { await answer(request, connection) }
                    }
                case .message(let message):
                    switch message.value {
                    case let order as CancelOrder: running.cancel(order.number)
                    case let order as ConfirmOrder: await desk.confirm(order.ends, connection)
                    case is WorkingNotice: await desk.heard(connection)
                    default: break
                    }
                case .refused: break
                case .invalidated: running.cancelAll()
                }
            }
            running.cancelAll()
        }
        await desk.ended(connection)
    }

    private func begin(_ order: RequestOrder, _ files: [FileDescriptor]) -> Task<RequestEnd, Never> {
        let exchange = Exchange(head: order.head, engine: engine, tokens: tokens)
        return Task {
            defer { files.forEach { try? $0.close() } }
            return await exchange.run(order, files.first)
        }
    }

    private func answer(_ request: ReceivedRequest, _ connection: ChannelConnection) async {
        let process = connection.peer.process
        do {
            switch request.value {
            case let own as RecordOrder: try request.answer(try await desk.record(own.order, by: process))
            case let own as ChangeOrder:
                try request.answer(try await desk.change(own.key, own.change, end: own.end, by: process))
            case let own as LookOrder: try request.answer(try await desk.look(isNow: own.isNow))
            case let own as JoinOrder: try request.answer(try await desk.join(own, connection))
            case let own as LeaveOrder: try request.answer(try await desk.leave(own.manner, connection))
            default: break
            }
        } catch {
            request.refuse(.unanswered, why: "\(error)")
        }
    }
}
