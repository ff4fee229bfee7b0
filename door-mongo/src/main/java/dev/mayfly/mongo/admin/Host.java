package dev.mayfly.mongo.admin;

import java.util.List;

/**
 * The machine and the process as the one who started it knows them.
 *
 * @param version of Mayfly
 * @param pid the number of the process
 * @param arguments with which it was started
 * @param dataPath where its data is; empty when it is in memory
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
  /** Nothing is known: for those who start a door in a test. */
  public static final Host UNKNOWN =
      new Host("localhost", "unknown", "", "", 1, 0, "0", 1, List.of(), "");

  public Host {
    arguments = List.copyOf(arguments);
  }
}
