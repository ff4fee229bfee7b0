package dev.mayfly.mongo.command;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;

/**
 * Cluster time in replies and change streams: a BSON timestamp of a second and a count within it.
 *
 * <p>The count is the millisecond within the second, plus one. So the cluster time of a change is
 * derived from the time of its write and is the same after a restart.
 */
public final class ClusterTime {
  private static final String GOSSIP = "$clusterTime";

  /** A zero signature, as from a MongoDB server without authentication: there are no keys. */
  private static final Document UNSIGNED =
      Document.writer().put("hash", Value.binary((byte) 0, new byte[20])).put("keyId", 0L).build();

  private ClusterTime() {}

  /** The timestamp of an instant. */
  public static Value of(long epochMillis) {
    return Value.timestamp(
        ((epochMillis / 1000) << Integer.SIZE) | (Math.floorMod(epochMillis, 1000) + 1));
  }

  /** Converts a timestamp to epoch milliseconds: the inverse of {@link #of}. */
  public static long epochMillis(Value timestamp) {
    long value = timestamp.asTimestamp();
    long count = Math.clamp((value & 0xFFFF_FFFFL) - 1, 0, 999);
    return (value >>> Integer.SIZE) * 1000 + count;
  }

  /**
   * Writes {@code $clusterTime} and {@code operationTime}, as in every reply of a replica set. The
   * {@code $clusterTime} in a request is ignored: it is one that this server sent before, so it
   * cannot be ahead.
   */
  public static void write(long epochMillis, DocumentWriter reply) {
    Value time = of(epochMillis);
    reply.startDocument(GOSSIP).put("clusterTime", time).put("signature", UNSIGNED).end();
    reply.put("operationTime", time);
  }
}
