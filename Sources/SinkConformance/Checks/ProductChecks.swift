internal import ShareModel
internal import SinkHost

extension ConformanceCheck {
    /// Checks of the answers and products of the first sessions, and of files that the sink must not touch.
    static let products = [
        ConformanceCheck(
            name: "done/why", rule: "declined and fail have a why", remedy: "give the reason, for people"
        ) { context in
            try await each(context) { finding in
                if finding.done?.status == .declined, finding.done?.why?.isEmpty != false {
                    return "declined without why"
                }
                return finding.failure?.why.isEmpty == true ? "fail with an empty why" : nil
            }
        },
        ConformanceCheck(
            name: "metadata/object", rule: "metadata is a JSON object", remedy: "give each value a name"
        ) { context in
            try await each(context) { finding in
                guard let metadata = finding.done?.metadata else { return nil }
                if case .object = metadata { return nil }
                return "metadata is \(metadata.kind)"
            }
        },
        ConformanceCheck(
            name: "metadata/size", rule: "metadata has at most 262,144 bytes",
            remedy: "put large values into a product file"
        ) { context in
            try await each(context) { finding in
                guard let metadata = finding.done?.metadata else { return nil }
                let size = try JSONLines.encode(metadata).count
                return size > context.limits.metadataBytes ? "metadata of \(size) bytes" : nil
            }
        },
        ConformanceCheck(
            name: "metadata/values", rule: "metadata has at most 16,384 values",
            remedy: "put long lists into a product file"
        ) { context in
            try await each(context) { finding in
                let count = finding.done?.metadata?.valueCount ?? 0
                return count > context.limits.metadataValues ? "metadata of \(count) values" : nil
            }
        },
        ConformanceCheck(
            name: "metadata/depth", rule: "metadata has at most 32 levels",
            remedy: "flatten it, or make a product of it"
        ) { context in
            try await each(context) { finding in
                let depth = finding.done?.metadata?.depth ?? 0
                return depth > context.limits.metadataDepth ? "metadata of \(depth) levels" : nil
            }
        },
        ConformanceCheck(
            name: "metadata/secrets", rule: "neither metadata nor the description of a product contains a secret",
            remedy: "leave it out; the host fails such a delivery, because the container would keep the secret"
        ) { context in
            let secrets = Redactor((context.configuration.secrets ?? [:]).values)
            try await each(context) { finding in
                finding.done.map(secrets.finds(in:)) == true ? "the answer contains a secret of the sink" : nil
            }
        },
        ConformanceCheck(
            name: "products/words", rule: "a product has a role and a MIME type",
            remedy: "state its role for the content (thumbnail, text …), and its type"
        ) { context in
            try await eachProduct(context) { made in
                if made.product.role != SafeName.make(made.product.role) { return "its role is '\(made.product.role)'" }
                return MediaType(made.product.type) == nil ? "its type is '\(made.product.type)'" : nil
            }
        },
        ConformanceCheck(
            name: "products/path", rule: "a product's path is relative to out, without '..' or NUL, and not empty",
            remedy: "write products below out, and state their paths relative to it"
        ) { context in
            try await eachProduct(context) { ProductPath.trouble($0.product.path) }
        },
        ConformanceCheck(
            name: "products/regular-file", rule: "a product is an existing regular file below out, not a link",
            remedy: "write the file, close it, and then answer; copy instead of linking"
        ) { context in
            try await eachProduct(context, \.trouble)
        },
        ConformanceCheck(
            name: "products/size", rule: "a product has at most 256 MiB", remedy: "make it smaller, or split it"
        ) { context in
            try await eachProduct(context) { $0.size > context.limits.productBytes ? "it has \($0.size) bytes" : nil }
        },
        ConformanceCheck(
            name: "products/count", rule: "a delivery leaves at most 1,000 files below out",
            remedy: "put many small files into one, and remove files that are not products"
        ) { context in
            try await each(context) {
                $0.filesInOut > context.limits.products ? "more than \(context.limits.products) files" : nil
            }
        },
        ConformanceCheck(
            name: "content/unchanged", rule: "the content is not changed, moved or removed",
            remedy: "open it for reading only; work on a copy below out or $TMPDIR"
        ) { context in
            try await each(context) { $0.trespasses.first }
        },
        ConformanceCheck(
            name: "content/elsewhere",
            rule: "a sink writes only below out, and its own files below $TMPDIR and $HOME",
            remedy: "give every file that you write a path below out"
        ) { context in
            if let file = try await context.probeRun().strayFiles.first { throw CheckFailure("it made \(file)") }
        },
    ]

    private static func each(_ context: ConformanceContext, _ trouble: (DeliveryFinding) throws -> String?) async throws
    {
        for (input, _, finding) in try await context.probeRun().findings {
            if let trouble = try trouble(finding) { throw CheckFailure("given \(input.label): \(trouble)") }
        }
    }

    private static func eachProduct(
        _ context: ConformanceContext, _ trouble: (DeliveryFinding.Made) throws -> String?
    ) async throws {
        try await each(context) { finding in
            for made in finding.products {
                if let trouble = try trouble(made) { return "the product '\(made.product.path)': \(trouble)" }
            }
            return nil
        }
    }
}
