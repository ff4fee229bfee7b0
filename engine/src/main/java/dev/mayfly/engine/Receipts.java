package dev.mayfly.engine;

import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Outcome.Done;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of the last retryable writes of each session in a shard: each chain is in the store,
 * written with the writes it tells of; a bounded number of bytes of them is in memory. Guarded by
 * the shard's lock.
 */
final class Receipts {
  /** How much of them is in memory, about, for one shard. */
  static final long MOST_BYTES = 128 << 10;

  /** How long after one search for idle sessions the next may begin. */
  private static final long SEARCH_MILLIS = 180_000;

  /** About what a chain takes beside its bytes: objects, and its place in the map. */
  private static final int OVERHEAD = 200;

  private final Reader shard;

  /** By session, the one that was used longest ago first. */
  private final Map<Bytes, Known> known = new LinkedHashMap<>();

  private long bytes;

  /** Where the search for idle sessions goes on, and when the next one begins. */
  private Range idle = all();

  private long nextSearch = Long.MIN_VALUE;

  /** A chain and about how much memory it takes. */
  private record Known(Chain chain, long bytes) {}

  /**
   * @param shard where they are stored
   */
  Receipts(Reader shard) {
    this.shard = shard;
  }

  private static Range all() {
    return Range.prefix(Layout.receiptPrefix());
  }

  /** Some writes in a row that came to the same, with what their caller wants to be told again. */
  record Run(int first, int count, Done done, Document reply) {
    boolean goesOnWith(Run next) {
      return first + count == next.first
          && done == next.done
          && reply.isEmpty()
          && next.reply.isEmpty();
    }

    boolean holds(int statement) {
      return statement >= first && statement - first < count;
    }
  }

  /**
   * What became of the writes of one number of a session.
   *
   * @param usedAt when the last of them was done
   */
  record Chain(long number, long usedAt, List<Run> runs) {
    Chain {
      runs = List.copyOf(runs);
    }

    Optional<Outcome.Repeated> find(int statement) {
      for (Run run : runs) {
        if (run.holds(statement)) {
          return Optional.of(new Outcome.Repeated(run.done(), run.reply()));
        }
      }
      return Optional.empty();
    }

    /** About how much memory it takes. */
    long bytes() {
      long total = 0;
      for (Run run : runs) {
        total += RUN_OVERHEAD + run.reply().length();
      }
      return total;
    }

    /** When the last write of a stored chain was done. */
    static long usedAt(byte[] stored) {
      ByteCursor cursor = new ByteCursor(stored, 0);
      cursor.varint();
      return cursor.varint();
    }

    byte[] encode() {
      ByteBuilder to = new ByteBuilder().varint(number).varint(usedAt);
      for (Run run : runs) {
        boolean replies = !run.reply().isEmpty();
        to.varint(run.first()).varint(run.count()).put(code(run.done()) | (replies ? REPLY : 0));
        if (replies) {
          to.put(run.reply().buffer(), run.reply().offset(), run.reply().length());
        }
      }
      return to.bytes();
    }

    static Chain decode(byte[] stored) {
      ByteCursor cursor = new ByteCursor(stored, 0);
      long number = cursor.varint();
      long usedAt = cursor.varint();
      List<Run> runs = new ArrayList<>();
      while (!cursor.atEnd()) {
        int first = Math.toIntExact(cursor.varint());
        int count = Math.toIntExact(cursor.varint());
        int code = cursor.read();
        Document reply = (code & REPLY) != 0 ? cursor.document() : Document.EMPTY;
        runs.add(new Run(first, count, done(code & ~REPLY), reply));
      }
      return new Chain(number, usedAt, runs);
    }
  }

  private static final int REPLY = 0x10;

  /** About what a run takes beside its reply. */
  private static final int RUN_OVERHEAD = 64;

  private static int code(Done done) {
    return switch (done) {
      case INSERTED -> 1;
      case UPDATED -> 2;
      case UNCHANGED -> 3;
      case DELETED -> 4;
    };
  }

  private static Done done(int code) {
    return switch (code) {
      case 1 -> Done.INSERTED;
      case 2 -> Done.UPDATED;
      case 3 -> Done.UNCHANGED;
      case 4 -> Done.DELETED;
      default -> throw new EngineException(Reason.UNREADABLE, "a receipt of unknown kind " + code);
    };
  }

  /**
   * What is known of the writes of a number.
   *
   * @throws EngineException TRANSACTION_TOO_OLD when the session has moved on
   */
  Optional<Chain> find(Bytes session, long number) {
    return find(session, number, shard);
  }

  /** As {@link #find(Bytes, long)}, by a reader of the shard that may refuse to wait. */
  Optional<Chain> find(Bytes session, long number, Reader reader) {
    Chain chain = chain(session, reader);
    if (chain != null && chain.number() > number) {
      throw new EngineException(
          Reason.TRANSACTION_TOO_OLD, "the session is at number " + chain.number(), chain.number());
    }
    return Optional.ofNullable(chain).filter(one -> one.number() == number);
  }

  private @Nullable Chain chain(Bytes session, Reader reader) {
    Known remembered = known.get(session);
    if (remembered != null) {
      return remembered.chain();
    }
    byte[] stored = reader.read(Space.META, Layout.receipt(session));
    if (stored == null) {
      return null;
    }
    Chain chain = Chain.decode(stored);
    keep(session, chain);
    return chain;
  }

  /** Adds to a batch that a transaction is committed with it; {@link #keep} it then. */
  static Chain note(Batch batch, TransactionId id, long now) {
    Chain chain = new Chain(id.number(), now, List.of());
    batch.put(Space.META, Layout.receipt(id.session()), chain.encode());
    return chain;
  }

  /** Adds to a batch what has become of its writes; {@link #keep} it once that is committed. */
  static Optional<Chain> note(
      Batch batch, Retry retry, Optional<Chain> known, List<Outcome> outcomes, long now) {
    List<Run> runs = new ArrayList<>(known.map(Chain::runs).orElse(List.of()));
    boolean any = false;
    for (int i = 0; i < outcomes.size(); i++) {
      Outcome outcome = outcomes.get(i);
      Optional<Done> done = outcome.justDone();
      if (done.isPresent()) {
        any = true;
        add(runs, new Run(retry.firstStatement() + i, 1, done.get(), retry.reply().apply(outcome)));
      }
    }
    if (!any) {
      return Optional.empty();
    }
    Chain chain = new Chain(retry.number(), now, runs);
    batch.put(Space.META, Layout.receipt(retry.session()), chain.encode());
    return Optional.of(chain);
  }

  private static void add(List<Run> runs, Run next) {
    if (!runs.isEmpty() && runs.getLast().goesOnWith(next)) {
      Run last = runs.removeLast();
      runs.add(new Run(last.first(), last.count() + 1, last.done(), Document.EMPTY));
    } else {
      runs.add(next);
    }
  }

  /** Remembers a chain that is stored, and forgets in memory what was used longest ago. */
  void keep(Bytes session, Chain chain) {
    drop(session);
    long size = OVERHEAD + session.array().length + chain.bytes();
    if (size > MOST_BYTES / 8) {
      return;
    }
    known.put(session, new Known(chain, size));
    bytes += size;
    while (bytes > MOST_BYTES) {
      drop(known.keySet().iterator().next());
    }
  }

  private void drop(Bytes session) {
    Known before = known.remove(session);
    bytes -= before == null ? 0 : before.bytes();
  }

  /** Forgets what is in memory: it may not be what is stored. */
  void clear() {
    known.clear();
    bytes = 0;
  }

  /**
   * Looks at some sessions and forgets those that have been idle since an instant, in a batch of
   * deletes. All are looked at every few minutes.
   */
  Batch forgetIdle(long since, int most) {
    Batch batch = new Batch();
    if (idle.equals(all()) && since < nextSearch) {
      return batch;
    }
    int looked = 0;
    try (Scan scan = shard.scan(Space.META, idle, Direction.UP)) {
      while (looked < most && scan.next()) {
        looked++;
        if (Chain.usedAt(scan.value()) <= since) {
          batch.delete(Space.META, scan.key());
          drop(Layout.receiptSession(scan.key()));
        }
        idle =
            Range.of(
                Arrays.copyOf(scan.key(), scan.key().length + 1),
                Objects.requireNonNull(all().to()));
      }
    }
    if (looked < most) {
      idle = all();
      nextSearch = since + SEARCH_MILLIS;
    }
    return batch;
  }

  /** Whether a search for idle sessions has more to look at. */
  boolean searching() {
    return !idle.equals(all());
  }

  /** About how much memory they take. */
  long bytes() {
    return bytes;
  }
}
