package dev.mayfly.mongo.admin;

import java.util.List;

/**
 * Description of the machine and the server process, for status commands.
 *
 * @param version the version of Mayfly
 * @param pid the process id
 * @param arguments the command line arguments
 * @param dataPath the data directory; empty if the data is in memory
 */
public record Host(
    String hostname,
    String osName,
    String osVersion,
    String architecture,
    int cores,
    long memoryBytes,
    String version,
    long pid,
    List<String> arguments,
    String dataPath) {
  /** Placeholder values, for a door in a test. */
  public static final Host UNKNOWN =
      new Host("localhost", "unknown", "", "", 1, 0, "0", 1, List.of(), "");

  public Host {
    arguments = List.copyOf(arguments);
  }
}
