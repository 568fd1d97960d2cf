import Foundation
import SystemPackage

/// A sink in Python that misbehaves in one way, and takes text only; everything else goes to the bundled sinks.
enum BadSink {
    /// Writes the sink into a folder of sinks, with the way that it misbehaves as its arguments.
    static func install(_ arguments: [String], in folder: TestFolder, stallSeconds: Int = 20) throws -> FilePath {
        let command = String(decoding: try JSONEncoder().encode(["bad"] + arguments), as: UTF8.self)
        try folder.write(
            "sinks/bad/sink.json",
            """
            {"id": "bad", "version": "1", "protocol": 1, "role": "primary", "command": \(command),
             "accepts": [{"type": "text/plain"}], "content": "path", "limits": {"stall_s": \(stallSeconds)}}
            """)
        try folder.write("sinks/bad/bad", program, mode: 0o755)
        return folder["sinks"]
    }

    private static let program = #"""
        #!/usr/bin/env python3
        import json, os, signal, sys

        mode, *rest = sys.argv[1:]
        count = 0

        def say(*messages):
            sys.stdout.write("".join(json.dumps(message) + "\n" for message in messages))
            sys.stdout.flush()

        def die():
            os.kill(os.getpid(), signal.SIGKILL)

        def done(delivery, **more):
            say({"done": {"id": delivery["id"], "status": "delivered", **more}})

        def product(delivery, path):
            done(delivery, products=[{"path": path, "role": "text", "type": "text/plain"}])

        def deliver(delivery):
            text = open(delivery["parts"][0]["path"]).read()
            out = delivery["out"]
            if mode == "die once":
                if count == int(rest[0]) and not os.path.exists(rest[1]):
                    open(rest[1], "w").close()
                    die()
            elif mode == "die on" and rest[0] in text:
                die()
            elif mode == "answer another":
                say({"done": {"id": "another", "status": "delivered"}})
            elif mode == "answer nonsense":
                say({"finished": {}})
            elif mode == "never answer":
                return
            elif mode == "exit":
                print("I have had enough", file=sys.stderr)
                sys.exit(3)
            elif mode == "flood":
                sys.stdout.write("x" * (2 << 20))
            elif mode == "link product":
                os.symlink("/etc/passwd", out + "/link")
                return product(delivery, "link")
            elif mode == "upward product":
                return product(delivery, "../in/0")
            elif mode == "absolute product":
                return product(delivery, "/etc/passwd")
            elif mode == "missing product":
                return product(delivery, "nothing")
            elif mode == "pipe product":
                os.mkfifo(out + "/pipe")
                return product(delivery, "pipe")
            elif mode == "folder product":
                os.mkdir(out + "/folder")
                return product(delivery, "folder")
            elif mode == "huge product":
                with open(out + "/huge", "wb") as file:
                    file.truncate((256 << 20) + 1)
                return product(delivery, "huge")
            elif mode == "growing metadata":
                # Short here, long once the host writes it.
                sys.stdout.write('{"done":{"id":"%s","status":"delivered","metadata":{"a":[%s]}}}\n'
                                 % (delivery["id"], ",".join(["1e18"] * 100000)))
                sys.stdout.flush()
                return
            elif mode == "fail":
                return say({"fail": {"id": delivery["id"], "class": rest[0], "why": "as asked"}})
            done(delivery, metadata={"text": text[:20]})

        if mode == "garbage first":
            print("Welcome to the bad sink!", flush=True)
        if mode == "exit at once":
            sys.exit(1)
        if mode == "hello and ready at once":
            say({"hello": {"protocol": 1, "id": "bad", "version": "1"}}, {"ready": {}})
        for line in sys.stdin:
            message = json.loads(line)
            if "hello" in message and mode != "hello and ready at once":
                say({"hello": {"protocol": 1, "id": "worse" if mode == "another name" else "bad", "version": "1"}})
            elif "configure" in message and mode != "hello and ready at once":
                say({"ready": {}})
            elif "deliver" in message:
                count += 1
                deliver(message["deliver"])
            elif "goodbye" in message:
                break

        """#
}
