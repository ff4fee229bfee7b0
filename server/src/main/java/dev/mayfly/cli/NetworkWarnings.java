package dev.mayfly.cli;

import dev.mayfly.mongo.auth.Login;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Startup lines for a server that other machines can reach: its address, and security warnings. */
final class NetworkWarnings {
  private NetworkWarnings() {}

  /** Lines for {@link Ready}; empty for a server on loopback. */
  static String of(Server server, ServerSettings settings) {
    InetAddress bound = server.mongo().address().getAddress();
    if (settings.emulator().isPresent()) {
      return EmulatorLines.warning(server, settings) + health(server);
    }
    if (bound.isLoopbackAddress()) {
      return health(server);
    }
    List<String> lines = new ArrayList<>();
    outside(bound).ifPresent(host -> lines.add("  Network   " + addresses(server, host)));
    if (server.mongo().users().isEmpty() && settings.mongo().security().login() != Login.NEVER) {
      lines.add(
          "  Users     none: no other machine can log in until you add a user (mayfly"
              + " users add)");
    }
    if (settings.mongo().security().tls().isEmpty()) {
      lines.add(
          "  TLS       off for MongoDB: passwords and data are sent unencrypted (use"
              + " --tls FILE)");
    }
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line).append(System.lineSeparator()));
    return text.append(health(server)).toString();
  }

  private static String health(Server server) {
    OptionalInt port = server.healthPort();
    return port.isEmpty()
        ? ""
        : "  Health    http://127.0.0.1:" + port.getAsInt() + "/ready" + System.lineSeparator();
  }

  private static String addresses(Server server, String host) {
    String mongo = "mongodb://" + host + ":" + server.mongo().address().getPort() + "/";
    return server
        .cosmos()
        .map(door -> mongo + ", https://" + host + ":" + door.port() + "/")
        .orElse(mongo);
  }

  /** An address at which other machines can reach the server. */
  private static Optional<String> outside(InetAddress bound) {
    if (!bound.isAnyLocalAddress()) {
      String host = bound.getHostAddress();
      return Optional.of(host.indexOf(':') < 0 ? host : "[" + host + "]");
    }
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
          .map(InetAddress::getHostAddress)
          .findFirst();
    } catch (SocketException unknown) {
      return Optional.empty();
    }
  }
}
