internal import Files
package import GroupContainer
internal import Reading
package import ShareModel
internal import SinkHost
internal import SinkKit
package import SystemPackage

/// Reads the pixels of pictures that sinks made.
///
/// A picture of a sink is as hostile as any input, so this process does not parse it. The program of the bundled sink
/// image-import decodes it, with the limits and the sandbox of a sink. What comes back is a size and that many bytes.
package struct PixelReader: Sendable {
    /// Why a picture cannot be shown, in words.
    package struct Unreadable: Error, Equatable {
        package let why: String
    }

    /// The largest file that is read, in bytes. The thumbnails of the bundled sinks have less than a tenth of it.
    package static let fileLimit: Int64 = 4 << 20

    /// A person waits for the pictures: an ordinary one takes hundredths of a second. It needs far less memory than a
    /// photo from a camera.
    private static let limits = SinkManifest.Limits(
        startupSeconds: 5, stallSeconds: 5, totalSeconds: 5, memoryMiB: 1 << 10, processorSeconds: 10, fileMiB: 64,
        processes: 16)
    /// The time for the trial of the sandbox.
    private static let trialClock = Duration.seconds(5)
    /// No picture is begun after this time.
    private static let patience = Duration.seconds(5)

    private let box: PixelBox
    private let program: FilePath

    /// - Parameters:
    ///   - box: the size that each picture must fit into. A smaller picture stays as it is.
    ///   - program: the running program. The bundled sink is found from it.
    package init(fitting box: PixelBox, program: FilePath = ProgramPath.current) {
        (self.box, self.program) = (box, program)
    }

    /// The pixels of each picture, or the reason why there are none, by the digest of the file.
    ///
    /// - Throws: `CancellationError`, soon after the task is canceled.
    package func read(_ pictures: [PackageFile]) async throws -> [Digest: Result<Pixels, Unreadable>] {
        let stop = StopFlag()
        return try await withTaskCancellationHandler {
            // The session blocks its thread.
            try await withTaskExecutorPreference(QueueExecutor("sluice.pictures")) { try await read(pictures, stop) }
        } onCancel: {
            stop.set()
        }
    }

    private func read(_ pictures: [PackageFile], _ stop: StopFlag) async throws -> [Digest: Result<Pixels, Unreadable>]
    {
        var read: [Digest: Result<Pixels, Unreadable>] = [:]
        var why = "the pictures before it took too long"
        do {
            let temporary = try TemporaryFolder(for: "pictures")
            defer { withExtendedLifetime(temporary) {} }
            let confiner = try await SinkConfiner(requirement: .preferred, program: program, clock: Self.trialClock)
            let decoder = try decoder
            let deadline = ContinuousClock.now + Self.patience
            func isWanted(_ picture: PackageFile) -> Bool {
                read[picture.sha256] == nil && ContinuousClock.now < deadline
            }
            // A picture may end the process. The others get another one.
            while pictures.contains(where: isWanted), !stop.isSet {
                var current: PackageFile?
                let end = try await SinkSession.run(
                    decoder, in: temporary.path.appending("work"), on: temporary.fileSystem, confiner: confiner,
                    limits: DeliveryLimits(), stop: stop
                ) { session in
                    for picture in pictures where isWanted(picture) {
                        current = picture
                        read[picture.sha256] = try self.read(picture, session)
                    }
                }
                guard end.fault != nil else { break }
                guard let current else {
                    why = end.why
                    break
                }
                if read[current.sha256] == nil { read[current.sha256] = .failure(Unreadable(why: end.why)) }
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            why = "\(error)"
        }
        try Task.checkCancellation()
        for picture in pictures where read[picture.sha256] == nil {
            read[picture.sha256] = .failure(Unreadable(why: why))
        }
        return read
    }

    /// The program of the bundled sink with other arguments. A sink of the user with the same id does not know them.
    private var decoder: InstalledSink {
        get throws {
            guard let sink = SinkRegistry(folders: [], program: program)["image-import"] else {
                throw IngestionError(.notFound, "the bundled sink image-import is missing; install Sluice again")
            }
            return sink.asTool(arguments: ["pixels", "\(box.width)", "\(box.height)"], limits: Self.limits)
        }
    }

    private func read(_ picture: PackageFile, _ session: SinkSession) throws -> Result<Pixels, Unreadable> {
        guard picture.size <= Self.fileLimit else {
            return .failure(Unreadable(why: "it has more than \(Self.fileLimit) bytes"))
        }
        let id = picture.sha256.description
        let delivery = HostedDelivery(
            id: id, key: id, attempt: 1, isUncertain: false, title: nil, text: nil,
            parts: [
                HostedPart(
                    role: .content, name: "picture", type: picture.type?.description ?? "", size: picture.size,
                    sha256: picture.sha256, localFile: picture.path,
                    open: { [path = picture.path] in
                        do {
                            return try FileDescriptor.open(path, .readOnly)
                        } catch {
                            // It was forgotten meanwhile, or is lost. The session goes on with the next picture.
                            throw UndeliverableError(why: "its file cannot be opened: \(error)")
                        }
                    })
            ])
        var outcome = try session.begin(delivery)
        while outcome == nil { outcome = try session.next() }
        switch outcome?.result {
        case .answered(let answer): return pixels(answer)
        case .failed(let why), .unauthorized(let why), .transient(let why, _), .refused(let why),
            .undeliverable(let why):
            return .failure(Unreadable(why: why))
        case .present, .transferring, nil: return .failure(Unreadable(why: "image-import did not decode it"))
        }
    }

    /// The answer's only product, if it has the size that its metadata state.
    private func pixels(_ answer: HostedAnswer) -> Result<Pixels, Unreadable> {
        let wrong = Unreadable(why: "image-import answered with wrong pixels")
        guard case .integer(let width) = answer.metadata?["width"],
            case .integer(let height) = answer.metadata?["height"],
            (1...Int64(box.width)).contains(width), (1...Int64(box.height)).contains(height),
            answer.products.count == 1
        else { return .failure(wrong) }
        let count = Int(width * height) * Pixels.depth
        do {
            // The program can swap its files at any moment, so no link is followed below the folder `out`.
            let opener = SourceOpener(folder: answer.folder, root: answer.folder.removingLastComponent())
            guard case .file(let file) = try opener.open(.path(FilePath(answer.products[0].path))),
                let pixels = Pixels(width: Int(width), height: Int(height), bytes: try file.bytes(limit: count))
            else { return .failure(wrong) }
            return .success(pixels)
        } catch {
            return .failure(wrong)
        }
    }
}
