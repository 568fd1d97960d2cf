import Foundation
import GroupContainer
import ShareModel
import SinkKit
import SystemPackage
import Testing

@testable import Files
@testable import Ingestion
@testable import SinkHost

/// The rights of a sink in the sandbox.
@Suite(.enabled("needs bubblewrap, and namespaces that it may make") { try await ConfinedSink.hasSandbox() })
struct SandboxTests {
    private func attempt(_ code: String, arguments: [String] = [], limits: SinkManifest.Limits? = nil) async throws
        -> String
    {
        let end = try await ConfinedSink(
            ConfinedSink.attempt(code), .sandbox, arguments: arguments, limits: limits
        ).run()
        #expect(end.status == 0, "\(end.errors)")
        return end.output
    }

    /// The same attempt without the sandbox. It must succeed; otherwise the refusal in the sandbox would prove nothing.
    private func attemptWithout(_ code: String, arguments: [String] = []) async throws -> String {
        try await ConfinedSink(ConfinedSink.attempt(code), .limits, arguments: arguments).run().output
    }

    @Test(arguments: ["container/objects/ab/abcdef", "container/catalog.sqlite", "home/letter", "work/other/1/in/part"])
    func nothingElseOfTheHostCanBeRead(_ name: String) async throws {
        let folder = try TestFolder()
        let path = try folder.write(name, "private").string
        let code = "open(sys.argv[1]).read()"
        #expect(try await attempt(code, arguments: [path]) == "refused ENOENT\n")
        #expect(try await attemptWithout(code, arguments: [path]) == "allowed\n")
    }

    @Test(arguments: [NSHomeDirectory(), "/home", "/root", "/var/lib", "/sys", "/boot", "/etc/ssh", "/etc/systemd"])
    func foldersOfTheHostAreNotThere(_ path: String) async throws {
        #expect(try await attempt("os.listdir(sys.argv[1])", arguments: [path]) == "refused ENOENT\n")
    }

    @Test(arguments: ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/machine-id", "/etc/resolv.conf"])
    func filesOfTheHostAreNotThere(_ path: String) async throws {
        #expect(try await attempt("open(sys.argv[1]).read()", arguments: [path]) == "refused ENOENT\n")
    }

    @Test(arguments: [
        "/", "/in", "/sink", "/usr", "/usr/bin", "/etc", "/dev", "/proc", "/run", "/var", "/home", "/root", "/bin",
    ])
    func nothingCanBeWrittenElsewhere(_ place: String) async throws {
        let answer = try await attempt(
            "open(sys.argv[1] + '/new', 'w').close()\nos.remove(sys.argv[1] + '/new')", arguments: [place])
        #expect(answer.hasPrefix("refused "), "\(answer)")
    }

    @Test(arguments: ["/in/part", "/sink/probe", "/etc/passwd", "/usr/bin/env", "/run/sluice-launch"])
    func nothingThatIsThereCanBeChanged(_ path: String) async throws {
        for code in ["open(sys.argv[1], 'a').close()", "os.remove(sys.argv[1])", "os.chmod(sys.argv[1], 0o777)"] {
            let answer = try await attempt(code, arguments: [path])
            #expect(answer.hasPrefix("refused "), "\(code): \(answer)")
        }
    }

    @Test func itReadsInAndWritesOutAndItsOwnTemporaryFolder() async throws {
        let sink = try await ConfinedSink(
            """
            #!/bin/sh
            set -e
            cat /in/part > /out/made
            mkdir /out/more
            cat /sink/probe > /out/more/script
            echo scratch > "$TMPDIR/scratch"
            pwd
            """, .sandbox)
        let end = try sink.run()
        #expect(end.status == 0, "\(end.errors)")
        #expect(end.output == "/tmp\n")
        #expect(try Disk.bytes(sink.folder["work/out/made"]) == Array("the content".utf8))
        #expect(try !Disk.bytes(sink.folder["work/out/more/script"]).isEmpty)
        #expect(Disk.names(in: sink.folder["work"]) == ["group", "in", "out", "passwd"])
    }

    @Test func whatIsPutIntoItsContentLaterIsSeen() async throws {
        let sink = try await ConfinedSink(
            "#!/bin/sh\necho ready\nwhile [ ! -r /in/8/part ]; do sleep 0.02; done\necho seen > /out/8/answer", .sandbox
        )
        try sink.start()
        try sink.waitForLine()
        for name in ["out/8", "in/8"] {
            try SystemFileSystem().ensureFolders(sink.folder["work/\(name)"])
            try sink.launch.give(sink.folder["work/\(name)"])
        }
        let part = try sink.folder.write("part", "more", mode: 0o400)
        try sink.launch.give(part)
        try FileManager.default.moveItem(atPath: part.string, toPath: sink.folder["work/in/8/part"].string)
        #expect(try sink.end().status == 0)
        #expect(try Disk.bytes(sink.folder["work/out/8/answer"]) == Array("seen\n".utf8))
    }

    @Test func thePathsOfItsFoldersAreThoseInside() async throws {
        let sink = try await ConfinedSink("#!/bin/sh", .sandbox)
        #expect(sink.launch.inside(sink.folder["work/in/7/beach.jpg"]) == "/in/7/beach.jpg")
        #expect(sink.launch.inside(sink.folder["work/out/7"]) == "/out/7")
        #expect(sink.launch.inside(sink.folder["sinks/probe/model.bin"]) == "/sink/model.bin")
        #expect(sink.launch.inside("/usr/share") == "/usr/share")
    }

    @Test func itsEnvironmentHoldsNoSecret() async throws {
        let sink = try await ConfinedSink(
            "#!/usr/bin/env python3\nimport os\nfor name in sorted(os.environ): print(name, os.environ[name])", .sandbox
        )
        // Even the supervisor does not get the host's environment.
        #expect(sink.launch.environment["PATH"] == "/usr/local/bin:/usr/bin:/bin")
        #expect(
            try sink.run().output == """
                HOME /tmp
                LANG C.UTF-8
                PATH /usr/local/bin:/usr/bin:/bin
                TMPDIR /tmp

                """)
    }

    @Test func itHasNoPrivilegesAndCanGetNone() async throws {
        let sink = try await ConfinedSink("#!/bin/sh\ncat /proc/self/status", .sandbox)
        let lines = try sink.run().output.split(separator: "\n").map { $0.split(whereSeparator: \.isWhitespace) }
        let status = Dictionary(uniqueKeysWithValues: lines.map { (String($0[0]), $0.dropFirst().map(String.init)) })
        #expect(status["NoNewPrivs:"] == ["1"])
        for set in ["CapInh:", "CapPrm:", "CapEff:", "CapAmb:"] {
            #expect(status[set] == ["0000000000000000"], "\(set)")
        }
        #expect(status["Groups:"]?.contains("0") != true)
        #expect(status["Seccomp:"] == ["2"], "the filter of system calls")
        let users = try #require(status["Uid:"])
        #expect(users.count == 4)
        #expect(!users.contains("0"), "it is not root")
        #expect(Set(users).count == 1)
    }

    @Test func itSeesItsOwnProcessesAlone() async throws {
        let host = "\(ProcessInfo.processInfo.processIdentifier)"
        let sink = try await ConfinedSink(
            """
            #!/usr/bin/env python3
            import os, sys
            names = [name for name in os.listdir("/proc") if name.isdigit()]
            print(len(names), 1 in map(int, names), open("/proc/1/comm").read().strip())
            try: os.kill(int(sys.argv[1]), 0)
            except ProcessLookupError: print("no such process")
            try: os.kill(1, 9)
            except PermissionError: pass
            print("still there")
            """, .sandbox, arguments: [host])
        #expect(try sink.run().output == "2 True sluice-launch\nno such process\nstill there\n")
    }

    @Test(arguments: ["AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET"])
    func noSocketLeadsOut(_ family: String) async throws {
        #expect(try await attempt("socket.socket(socket.\(family), socket.SOCK_DGRAM)") == "refused EACCES\n")
    }

    @Test func theHostsLocalSocketsAreNotThere() async throws {
        let folder = try TestFolder()
        let named = try LocalSocket(folder["socket"].string)
        let abstract = try LocalSocket("\0sluice-test-\(UUID().uuidString)")
        let code = "socket.socket(socket.AF_UNIX).connect(sys.argv[1].replace('@', '\\0'))"
        let names = [named.name, abstract.name.replacing("\0", with: "@")]
        #expect(try await attempt(code, arguments: [names[0]]) == "refused ENOENT\n")
        #expect(try await attempt(code, arguments: [names[1]]) == "refused ECONNREFUSED\n")
        for name in names { #expect(try await attemptWithout(code, arguments: [name]) == "allowed\n") }
    }

    @Test func socketsAmongItsOwnProcessesWork() async throws {
        #expect(try await attempt("socket.socketpair()\nsocket.socket(socket.AF_UNIX).bind('/tmp/own')") == "allowed\n")
    }

    @Test func withTheNetworkItHasInternetSocketsAndNoOthers() async throws {
        let sink = try await ConfinedSink(
            ConfinedSink.attempt(
                "socket.socket(socket.AF_INET)\nprint(os.path.exists('/etc/hosts'))\nsocket.socket(socket.AF_UNIX)"),
            .sandbox, network: true)
        #expect(try sink.run().output == "True\nrefused EACCES\n")
    }

    @Test(arguments: [
        "libc.unshare(0x10000000)", "libc.ptrace(16, 1, 0, 0)", "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)",
        "libc.umount2(b'/in', 0)", "libc.setns(0, 0)", "libc.chroot(b'/tmp')", "libc.syscall(425, 1, None)",
        "libc.process_vm_readv(1, None, 0, None, 0, 0)",
    ])
    func systemCallsThatNoSinkNeedsAreRefused(_ call: String) async throws {
        #expect(try await attempt("call(\(call))") == "refused EPERM\n")
    }

    /// These would give memory that no limit counts, or take what the host's user has only a few of.
    @Test(arguments: [
        "call(libc.memfd_create(b'x', 0))", "call(libc.inotify_init1(0))",
        // These two outlive the process, so they are removed.
        "call(made := libc.shmget(0, 4096, 0o1600))\nlibc.shmctl(made, 0, None)",
        "call(made := libc.msgget(0, 0o1600))\nlibc.msgctl(made, 0, None)",
    ])
    func whatNoLimitCountsIsMissing(_ code: String) async throws {
        #expect(try await attempt(code) == "refused ENOSYS\n")
        // Other programs of the user may have used up what the system allows.
        let outside = try await attemptWithout(code)
        #expect(["allowed\n", "refused EMFILE\n", "refused ENOSPC\n"].contains(outside), "\(outside)")
    }

    /// A lease or a notification on its content would delay the host when it opens that object.
    @Test(arguments: [("1024", "0", "own"), ("1026", "2", "")])
    func nothingIsHeldAgainstTheHost(_ control: String, _ argument: String, _ name: String) async throws {
        let code = """
            import fcntl
            file = os.open(os.path.join(os.environ['TMPDIR'], sys.argv[3]), os.O_RDONLY | (os.O_CREAT if sys.argv[3] else 0))
            fcntl.fcntl(file, int(sys.argv[1]), int(sys.argv[2]))
            """
        #expect(try await attempt(code, arguments: [control, argument, name]) == "refused EPERM\n")
        #expect(try await attemptWithout(code, arguments: [control, argument, name]) == "allowed\n")
    }

    @Test func itCannotBecomeRoot() async throws {
        let answer = try await attempt("os.setuid(0)")
        // If the host is not root, the user namespace has no root, which gives the second error.
        #expect(["refused EPERM\n", "refused EINVAL\n"].contains(answer))
    }

    @Test(
        .needs("Linux 5.14, or root", Kernel.countsProcessesByNamespace || geteuid() == 0))
    func itForksUpToItsLimit() async throws {
        let answer = try await attempt(
            """
            for count in range(100):
                if os.fork() == 0: os.read(os.pipe()[0], 1)
            """, limits: .init(processes: 8))
        #expect(answer == "refused EAGAIN\n")
    }

    @Test(arguments: ["/tmp", "/dev/shm"])
    func whatItPutsIntoMemoryIsLimited(_ place: String) async throws {
        let code = """
            for number in range(5):
                with open(sys.argv[1] + f"/{number}", "wb", 0) as file: os.posix_fallocate(file.fileno(), 0, 64 << 20)
            """
        #expect(try await attempt(code, arguments: [place]) == "refused ENOSPC\n")
    }
}
