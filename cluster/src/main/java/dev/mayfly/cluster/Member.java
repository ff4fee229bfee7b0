package dev.mayfly.cluster;

import java.util.Optional;
import java.util.UUID;

/**
 * A server of the cluster.
 *
 * @param id of this run of the server: it changes with every start
 * @param slot small number that no other live server has, from 0 to 1023
 * @param name for operators: process and host
 * @param mongo host and port for MongoDB clients
 * @param cosmos endpoint URL for Cosmos DB clients; empty if it serves none
 * @param version of Mayfly
 */
public record Member(
    UUID id, int slot, String name, String mongo, Optional<String> cosmos, String version) {
  /** One more than the highest slot. */
  public static final int SLOTS = 1024;
}
