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
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of the last retryable writes of each session in a shard: all of it in memory, and
 * each chain in the store, written with the writes it tells of. Guarded by the shard's lock.
 */
final class Receipts {
  /** By session, the one that was used longest ago first. */
  private final Map<Bytes, Chain> chains = new LinkedHashMap<>();

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

  /** Reads what a shard has kept. */
  static Receipts load(Reader shard) {
    Map<Bytes, Chain> stored = new LinkedHashMap<>();
    Range all = Range.prefix(Layout.receiptPrefix());
    try (Scan scan = shard.scan(Space.META, all, Direction.UP)) {
      while (scan.next()) {
        stored.put(Layout.receiptSession(scan.key()), Chain.decode(scan.value()));
      }
    }
    Receipts receipts = new Receipts();
    stored.entrySet().stream()
        .sorted(Comparator.comparingLong(entry -> entry.getValue().usedAt()))
        .forEach(entry -> receipts.chains.put(entry.getKey(), entry.getValue()));
    return receipts;
  }

  /**
   * What is known of the writes of a number.
   *
   * @throws EngineException TRANSACTION_TOO_OLD when the session has moved on
   */
  Optional<Chain> find(Bytes session, long number) {
    Chain chain = chains.get(session);
    if (chain != null && chain.number() > number) {
      throw new EngineException(
          Reason.TRANSACTION_TOO_OLD, "the session is at number " + chain.number(), chain.number());
    }
    return Optional.ofNullable(chain).filter(known -> known.number() == number);
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

  void keep(Bytes session, Chain chain) {
    chains.remove(session);
    chains.put(session, chain);
  }

  /** Forgets some of the sessions that have been idle since an instant, in a batch of deletes. */
  Batch forgetIdle(long since, int most) {
    Batch batch = new Batch();
    Iterator<Map.Entry<Bytes, Chain>> oldest = chains.entrySet().iterator();
    while (batch.operations() < most && oldest.hasNext()) {
      Map.Entry<Bytes, Chain> next = oldest.next();
      if (next.getValue().usedAt() > since) {
        break;
      }
      batch.delete(Space.META, Layout.receipt(next.getKey()));
      oldest.remove();
    }
    return batch;
  }

  /** How many sessions are remembered. */
  int size() {
    return chains.size();
  }
}
