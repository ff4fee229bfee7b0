package dev.mayfly.admin.console;

import dev.mayfly.admin.Readiness;
import java.util.List;

/** What the console shows about its server. Safe for many threads. */
public interface ServerFacts {
  Readiness readiness();

  /** Epoch milliseconds of the start, by the clock of the machine. */
  long startedAt();

  /** Epoch milliseconds, by the clock of the machine. */
  long wall();

  /** Memory of the process in bytes; 0 if unknown. */
  long residentBytes();

  /** Files of the store in bytes. */
  long diskBytes();

  /** Free bytes of the disk; negative for a server in memory. */
  long freeDiskBytes();

  boolean writable();

  int mongoConnections();

  int cosmosConnections();

  int cursors();

  /** Addresses and names for connection strings. */
  Endpoints endpoints();

  /** Settings in effect. */
  List<SettingInEffect> settings();

  /**
   * Addresses for clients.
   *
   * @param mongoTls whether MongoDB clients may or must use TLS
   * @param login which MongoDB clients must log in
   * @param cosmosPort negative if there is no Cosmos door
   * @param ownCertificate whether the certificate of the Cosmos door is self-signed
   * @param advertised name for clients on other machines; empty for none
   * @param data data directory; empty for a server in memory
   */
  record Endpoints(
      String host,
      int mongoPort,
      boolean mongoTls,
      String replicaSet,
      String login,
      int cosmosPort,
      boolean ownCertificate,
      String advertised,
      String data) {}

  /**
   * A setting and where it comes from.
   *
   * @param value of a secret: whether it is set
   * @param from default, option, environment or file
   */
  record SettingInEffect(String name, String value, String from, String description) {}
}
