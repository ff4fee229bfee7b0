package dev.mayfly.store.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchableStatement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.IntSupplier;

/**
 * Writes to leaves in batches of one partition, several in flight. Nothing is written for sure
 * before {@link #finish} has returned. For one thread.
 */
final class LeafWriter {
  private static final long BATCH_BYTES = 64 << 10;
  private static final int BATCH_STATEMENTS = 500;

  private final Tables tables;
  private final int cell;
  private final IntSupplier most;
  private final Deque<CompletionStage<AsyncResultSet>> inFlight = new ArrayDeque<>();
  private List<BatchableStatement<?>> batch = new ArrayList<>();
  private long batchBytes;
  private long batchLeaf = -1;

  /**
   * @param most how many batches are executed at the same time
   */
  LeafWriter(Tables tables, int cell, IntSupplier most) {
    this.tables = tables;
    this.cell = cell;
    this.most = most;
  }

  void put(long leaf, byte[] key, byte[] value, long timestamp) {
    for (BatchableStatement<?> part : tables.put(cell, leaf, key, value, timestamp)) {
      long bytes = Math.min(value.length, BATCH_BYTES) + key.length;
      add(leaf, part, bytes);
    }
  }

  void delete(long leaf, byte[] key, long timestamp) {
    add(leaf, tables.delete(cell, leaf, key, timestamp), key.length);
  }

  void deleteRange(long leaf, byte[] from, byte[] to, long timestamp) {
    add(leaf, tables.deleteRange(cell, leaf, from, to, timestamp), from.length + (long) to.length);
  }

  private void add(long leaf, BatchableStatement<?> statement, long bytes) {
    if (leaf != batchLeaf || batchBytes + bytes > BATCH_BYTES || batch.size() == BATCH_STATEMENTS) {
      send();
    }
    batchLeaf = leaf;
    batch.add(statement);
    batchBytes += bytes;
  }

  private void send() {
    if (batch.isEmpty()) {
      return;
    }
    while (inFlight.size() >= most.getAsInt()) {
      Tables.await(List.of(inFlight.removeFirst()));
    }
    inFlight.addLast(tables.batch(batch));
    batch = new ArrayList<>();
    batchBytes = 0;
  }

  /** Waits until everything is written. */
  void finish() {
    send();
    Tables.await(List.copyOf(inFlight));
    inFlight.clear();
  }
}
