package dev.mayfly.mongo.command;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;

/**
 * The time of the cluster as replies and change streams tell it: a second and a count within it.
 *
 * <p>The count is the millisecond within the second, plus one: so the time of a change follows from
 * when it was written, is the same after a restart and never goes back.
 */
public final class ClusterTime {
  private static final String GOSSIP = "$clusterTime";

  /** There are no keys in a cluster of one: all zero, as a server without authentication says. */
  private static final Document UNSIGNED =
      Document.writer().put("hash", Value.binary((byte) 0, new byte[20])).put("keyId", 0L).build();

  private ClusterTime() {}

  /** The timestamp of an instant. */
  public static Value of(long epochMillis) {
    return Value.timestamp(
        ((epochMillis / 1000) << Integer.SIZE) | (Math.floorMod(epochMillis, 1000) + 1));
  }

  /** The first instant that a timestamp may stand for: the inverse of {@link #of}. */
  public static long epochMillis(Value timestamp) {
    long value = timestamp.asTimestamp();
    long count = Math.clamp((value & 0xFFFF_FFFFL) - 1, 0, 999);
    return (value >>> Integer.SIZE) * 1000 + count;
  }

  /**
   * Writes what every reply of a replica set says of the time. Sessions pass the time of the
   * cluster on to one another; what a client sends back is never later than what it was sent, so
   * that there is nothing to advance here.
   */
  public static void write(long epochMillis, DocumentWriter reply) {
    Value time = of(epochMillis);
    reply.startDocument(GOSSIP).put("clusterTime", time).put("signature", UNSIGNED).end();
    reply.put("operationTime", time);
  }
}
