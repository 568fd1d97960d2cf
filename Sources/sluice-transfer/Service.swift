import Files
import GroupChannel
import ShareModel
import SystemPackage
import Transfers

/// Serves the connections of the container's processes.
struct Service: Sendable {
    let engine: Engine
    let tokens: Tokens

    /// Serves a connection until it ends. Its requests end with it.
    func serve(_ connection: ChannelConnection) async {
        await withDiscardingTaskGroup { group in
            let running = Running()
            for await event in connection.events {
                switch event {
                case .request(let request):
                    guard let order = request.value as? RequestOrder else { continue }
                    let exchange = Exchange(order: order, engine: engine, tokens: tokens)
                    let files = request.files.take()
                    let task = Task {
                        defer { files.forEach { try? $0.close() } }
                        return await exchange.run(files.first)
                    }
                    running.add(task, order.number)
                    group.addTask {
                        let end = await task.value
                        running.remove(order.number)
                        // The other side may have gone.
                        try? request.answer(end)
                    }
                case .message(let message):
                    if let order = message.value as? CancelOrder { running.cancel(order.number) }
                case .refused: break
                case .invalidated: running.cancelAll()
                }
            }
            running.cancelAll()
        }
    }
}
