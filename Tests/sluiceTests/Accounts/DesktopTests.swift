import Foundation
import ShareModel
import SystemPackage
import Testing

/// A desktop: a session bus with a real keychain, and a service for notifications.
@Suite(.timeLimit(.minutes(5))) struct DesktopTests {
    private static let isThere = ["/usr/bin/dbus-run-session", "/usr/bin/gnome-keyring-daemon"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Runs a script of commands in a session of its own; `sluice` in it is the program with its container.
    private func session(_ scene: AccountScene, _ script: String) throws -> String {
        let path = try scene.folder.write(
            "session.sh",
            """
            sluice() { '\(Program.folder.appending(path: "sluice").path)' "$@" --container '\(scene.program.container)' 2>&1; }
            mkdir -p -m 700 "$XDG_RUNTIME_DIR"
            \(script)
            # The bus has inherited that the tests ignore signals.
            kill -9 "$DBUS_SESSION_BUS_PID"
            """)
        let (outer, log) = (scene.folder["outer.sh"], scene.folder["log"])
        // In a file, because what the session leaves behind would keep a pipe open.
        try scene.folder.write("outer.sh", "dbus-run-session -- bash '\(path)' >'\(log)' 2>&1\n")
        var program = scene.program
        program.variables["SLUICE_AGENT"] = "off"
        // The session has its own.
        program.variables["DBUS_SESSION_BUS_ADDRESS"] = nil
        program.variables["SLUICE_KEYCHAIN"] = ""
        _ = try TerminalRun.run(outer, program)
        return String(decoding: try Disk.bytes(log), as: UTF8.self)
    }

    @Test(.needs("gnome-keyring", isThere)) func aLoginLiesInTheKeychainOfTheDesktop() throws {
        let scene = try AccountScene()
        try scene.addAccount()
        try scene.service.change(["approval": "ada"])
        let text = try session(
            scene,
            """
            printf pw | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1
            sluice account login notes
            sluice share https://example.org/1
            echo "[unlocked] $(sluice deliver)"
            lock() {
                gdbus call --session --dest org.freedesktop.secrets --object-path /org/freedesktop/secrets \
                    --method org.freedesktop.Secret.Service.Lock "[objectpath '/org/freedesktop/secrets/collection/login']"
            }
            lock >/dev/null
            sluice share https://example.org/2
            echo "[locked] $(sluice deliver)"
            echo "[login] $(sluice account login notes)"
            echo "[list] $(sluice account list)"
            """)
        func part(_ name: String) -> String {
            text.components(separatedBy: "[\(name)]").dropFirst().first?.components(separatedBy: "\n[").first ?? ""
        }
        #expect(part("unlocked").contains("delivered    post-link"), "\(text)")
        #expect(part("locked").contains("the keychain of the desktop is locked; unlock it"), "\(text)")
        #expect(part("login").contains("the keychain of the desktop is locked; unlock it"), "\(text)")
        #expect(part("list").contains("ada  logged in, in the desktop's keychain"), "\(text)")
        #expect(!FileManager.default.fileExists(atPath: scene.folder["data/sluice/keychain"].string))
        // The login is there, and this process cannot reach it: no login is lost.
        let away = try scene.program.run(["deliver"])
        #expect(
            away.status == 1 && away.output.contains("the keychain of the desktop cannot be reached"), "\(away.output)")
    }

    /// One notification tells of all waiting shares, and its button logs in.
    @Test(.needs("dbus-run-session", isThere)) func aNotificationLogsIn() throws {
        let scene = try AccountScene()
        try scene.addAccount()
        try scene.service.change(["approval": "ada"])
        let text = try session(
            scene,
            """
            export SLUICE_KEYCHAIN=file
            python3 '\(AccountScene.here.appending(path: "notifications.py").path)' >'\(scene.folder["notices"])' &
            server=$!
            for try in $(seq 100); do
                gdbus wait --session --timeout 1 org.freedesktop.Notifications && break
            done
            sluice share https://example.org/1 >/dev/null
            sluice share https://example.org/2 >/dev/null
            sluice agent --exit-when-idle --json | grep -m 1 needs_person
            sluice agent --exit-when-idle --json | grep -m 1 needs_person
            pidwait -f 'account notify notes --container \(scene.program.container)'
            echo "[list] $(sluice account list)"
            echo "[deliver] $(sluice deliver)"
            kill $server
            """)
        #expect(text.contains("ada  logged in"), "\(text)")
        let notices = String(decoding: try Disk.bytes(scene.folder["notices"]), as: UTF8.self).split(separator: "\n")
        #expect(notices.filter { $0.contains("Log in to notes") }.count == 1, "\(notices)")
        #expect(notices.first?.contains("2 deliveries wait for it") == true, "\(notices)")
    }
}
