package dev.mayfly.store;

import java.util.UUID;

/**
 * Row of a server on the {@link Board}: its addresses and its last sign of life.
 *
 * @param server changes with every start
 * @param slot small number that no other live server has
 * @param name for operators: process and host
 * @param peer host and port for other servers
 * @param mongo host and port for MongoDB clients; empty if it serves none yet
 * @param cosmos URL for Cosmos DB clients; empty if it serves none
 * @param fingerprint SHA-256 of the certificate that it shows other servers
 * @param version of Mayfly
 * @param beat number of the sign of life; each one has a higher number
 * @param until it serves no instant at or after this one, in milliseconds since the epoch
 * @param load number of cells; infinite while it takes no cells
 */
@SuppressWarnings("ArrayRecordComponent") // nobody changes or compares it
public record MemberRow(
    UUID server,
    int slot,
    String name,
    String peer,
    String mongo,
    String cosmos,
    byte[] fingerprint,
    String version,
    long beat,
    long until,
    double load) {
  /** Returns the row with a slot. */
  public MemberRow withSlot(int taken) {
    return new MemberRow(
        server, taken, name, peer, mongo, cosmos, fingerprint, version, beat, until, load);
  }

  /** Returns the row with addresses for clients. */
  public MemberRow withClients(String mongoAddress, String cosmosUrl) {
    return new MemberRow(
        server, slot, name, peer, mongoAddress, cosmosUrl, fingerprint, version, beat, until, load);
  }

  /** Returns the row with another sign of life. */
  public MemberRow withBeat(long number, long end, double cells) {
    return new MemberRow(
        server, slot, name, peer, mongo, cosmos, fingerprint, version, number, end, cells);
  }
}
