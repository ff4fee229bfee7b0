package dev.mayfly.cli;

import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.net.InetAddress;
import java.util.Optional;

/** Startup lines of an emulator: its warning, and what libraries for tests wait for. */
final class EmulatorLines {
  private EmulatorLines() {}

  /** Warning that everybody can use the server. */
  static String warning(Server server, ServerSettings settings) {
    boolean login = settings.mongo().security().login() != Login.NEVER;
    boolean wellKnown = server.key().equals(MasterKey.WELL_KNOWN);
    InetAddress bound = server.mongo().address().getAddress();
    String callers =
        bound.isLoopbackAddress()
            ? "every program on this machine"
            : "every machine that reaches it";
    return "  EMULATOR  FOR TESTS ONLY: "
        + (login ? "MongoDB clients log in" : "no login")
        + (wellKnown ? ", public key" : "")
        + ": "
        + (login && !wellKnown
            ? "do not store real data"
            : callers + " can read and write all data")
        + System.lineSeparator();
  }

  /**
   * Lines for wait strategies. The {@code mongo} image prints its line twice when it creates a
   * user, and libraries count them. The line of the first Cosmos DB emulator ends with CR LF.
   */
  static String waitLines(Server server) {
    String waiting = "Waiting for connections on port " + server.mongo().address().getPort() + "\n";
    String mongo = server.rootAdded() ? waiting + waiting : waiting;
    Optional<CosmosDoor> cosmos = server.cosmos();
    return cosmos.isEmpty()
        ? mongo
        : mongo
            + "Now listening on: "
            + cosmos.get().endpoint()
            + "\nSystem is now fully ready to accept requests\nStarted\r\n";
  }
}
