package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Retry;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteOutcome.Done;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Receipts of retryable writes: the outcomes of the last write number of each session in a shard. A
 * receipt is stored in the same batch as the writes; a bounded number of bytes is cached in memory.
 *
 * <p>The first runs of a write number are stored in one chain. When the chain is full, later runs
 * are stored in blocks by statement number, so that each write of a long bulk write rewrites
 * little.
 *
 * <p>The cache is safe for many threads. A receipt is used by the thread that has locked its
 * session, or that holds the shard's lock exclusively.
 */
public final class Receipts {
  /** Approximate size of the cache of one shard. */
  static final long MAX_BYTES = 128 << 10;

  /** Maximum number of runs in a chain; later runs go to blocks of this number of statements. */
  static final int BLOCK = 64;

  /** Approximate size in bytes at which a chain is full, too. */
  private static final int FULL_BYTES = 4 << 10;

  /** How old the time of last use in a stored chain may be. */
  private static final long USED_MILLIS = 1000;

  /** Minimum time between two searches for idle sessions. */
  private static final long SEARCH_MILLIS = 180_000;

  /** Approximate memory of a chain besides its bytes: objects, and its entry in the map. */
  private static final int OVERHEAD = 200;

  private final Reader shard;

  /** By storage key, least recently used first. */
  private final Map<ByteKey, Known> known = new LinkedHashMap<>();

  private long bytes;

  /** The range in which the search for idle sessions continues. */
  private Range idle = all();

  private long nextSearch = Long.MIN_VALUE;

  /** A chain and its approximate size in memory. */
  private record Known(Chain chain, long bytes) {}

  /**
   * @param shard the shard that stores the receipts
   */
  public Receipts(Reader shard) {
    this.shard = shard;
  }

  private static Range all() {
    return Range.prefix(Layout.receiptPrefix());
  }

  /** Consecutive statements with the same outcome, and the reply for a retry. */
  record Run(int first, int count, Done done, Document reply) {
    boolean canAppend(Run next) {
      return first + count == next.first
          && done == next.done
          && reply.isEmpty()
          && next.reply.isEmpty();
    }

    boolean contains(int statement) {
      return statement >= first && statement - first < count;
    }
  }

  /**
   * Outcomes of the writes of one number of a session.
   *
   * @param usedAt the time of the last of them
   */
  public record Chain(long number, long usedAt, List<Run> runs) {
    public Chain {
      runs = List.copyOf(runs);
    }

    Optional<WriteOutcome.Repeated> find(int statement) {
      for (Run run : runs) {
        if (run.contains(statement)) {
          return Optional.of(new WriteOutcome.Repeated(run.done(), run.reply()));
        }
      }
      return Optional.empty();
    }

    /** The approximate size in memory. */
    long bytes() {
      return size(runs);
    }

    /** The time of the last write of a stored chain. */
    static long usedAt(byte[] stored) {
      ByteCursor cursor = new ByteCursor(stored, 0);
      cursor.varint();
      return cursor.varint();
    }

    public byte[] encode() {
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

    public static Chain decode(byte[] stored) {
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

  /**
   * Known outcomes of the writes of one number of a session.
   *
   * @param blocks the blocks that were read or written, by number
   */
  public record Receipt(Optional<Chain> head, Map<Integer, Chain> blocks) {
    public static final Receipt NONE = new Receipt(Optional.empty(), Map.of());

    Optional<WriteOutcome.Repeated> find(int statement) {
      Optional<WriteOutcome.Repeated> found = head.flatMap(chain -> chain.find(statement));
      Chain block = blocks.get(statement / BLOCK);
      return found.isPresent() || block == null ? found : block.find(statement);
    }

    /** The runs that a block contains so far. */
    private List<Run> runs(int block) {
      Chain chain = blocks.get(block);
      return new ArrayList<>(chain == null ? List.of() : chain.runs());
    }
  }

  private static boolean full(List<Run> runs) {
    return runs.size() >= BLOCK || size(runs) > FULL_BYTES;
  }

  private static long size(List<Run> runs) {
    long total = 0;
    for (Run run : runs) {
      total += RUN_OVERHEAD + run.reply().length();
    }
    return total;
  }

  private static final int REPLY = 0x10;

  /** Approximate memory of a run besides its reply. */
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
      default -> throw new EngineException(Reason.UNREADABLE, "unknown kind of receipt: " + code);
    };
  }

  /**
   * Returns the chain of a number.
   *
   * @throws EngineException TRANSACTION_TOO_OLD if the session has used a higher number
   */
  public Optional<Chain> find(ByteKey session, long number) {
    return find(session, number, shard);
  }

  /**
   * Returns the known outcomes of some statements of a number. The reader may throw {@link
   * dev.mayfly.engine.WouldBlock}.
   *
   * @param first the first statement
   * @throws EngineException TRANSACTION_TOO_OLD if the session has used a higher number
   */
  Receipt find(ByteKey session, long number, int first, int count, Reader reader) {
    Optional<Chain> head = find(session, number, reader);
    Map<Integer, Chain> blocks = new HashMap<>();
    if (head.isPresent() && full(head.get().runs())) {
      for (int block = first / BLOCK; block <= (first + count - 1) / BLOCK; block++) {
        Chain chain = chain(new ByteKey(Layout.receiptBlock(session, block)), reader);
        if (chain != null && chain.number() == number) {
          blocks.put(block, chain);
        }
      }
    }
    return new Receipt(head, blocks);
  }

  private Optional<Chain> find(ByteKey session, long number, Reader reader) {
    Chain chain = chain(new ByteKey(Layout.receipt(session)), reader);
    if (chain != null && chain.number() > number) {
      throw new EngineException(
          Reason.TRANSACTION_TOO_OLD,
          "the session has already used number " + chain.number(),
          chain.number());
    }
    return Optional.ofNullable(chain).filter(one -> one.number() == number);
  }

  private @Nullable Chain chain(ByteKey key, Reader reader) {
    Known remembered = cached(key);
    if (remembered != null) {
      return remembered.chain();
    }
    byte[] stored = reader.read(Space.META, key.array());
    if (stored == null) {
      return null;
    }
    Chain chain = Chain.decode(stored);
    cacheAt(key, chain);
    return chain;
  }

  /** Adds the receipt of a transaction to its batch; call {@link #cache} after the commit. */
  public static Chain put(Batch batch, TransactionId id, long now) {
    Chain chain = new Chain(id.number(), now, List.of());
    batch.put(Space.META, Layout.receipt(id.session()), chain.encode());
    return chain;
  }

  /** Adds the receipt of writes to their batch; call {@link #cache} after the commit. */
  public static Optional<Receipt> put(
      Batch batch, Retry retry, Receipt known, List<WriteOutcome> outcomes, long now) {
    List<Run> head = new ArrayList<>(known.head().map(Chain::runs).orElse(List.of()));
    Map<Integer, List<Run>> blocks = new TreeMap<>();
    boolean headChanges = false;
    for (int i = 0; i < outcomes.size(); i++) {
      WriteOutcome outcome = outcomes.get(i);
      Optional<Done> done = outcome.justDone();
      if (done.isPresent()) {
        int statement = retry.firstStatement() + i;
        Run run = new Run(statement, 1, done.get(), retry.reply().apply(outcome));
        boolean inHead = !full(head) || head.getLast().canAppend(run);
        headChanges |= inHead;
        add(inHead ? head : blocks.computeIfAbsent(statement / BLOCK, known::runs), run);
      }
    }
    if (!headChanges && blocks.isEmpty()) {
      return Optional.empty();
    }
    Chain first = known.head().orElse(new Chain(retry.number(), Long.MIN_VALUE, List.of()));
    if (headChanges || now - USED_MILLIS >= first.usedAt()) {
      first = new Chain(retry.number(), now, head);
      batch.put(Space.META, Layout.receipt(retry.session()), first.encode());
    }
    Map<Integer, Chain> changed = new HashMap<>();
    blocks.forEach(
        (block, runs) -> {
          Chain chain = new Chain(retry.number(), now, runs);
          changed.put(block, chain);
          batch.put(Space.META, Layout.receiptBlock(retry.session(), block), chain.encode());
        });
    return Optional.of(new Receipt(Optional.of(first), changed));
  }

  private static void add(List<Run> runs, Run next) {
    if (!runs.isEmpty() && runs.getLast().canAppend(next)) {
      Run last = runs.removeLast();
      runs.add(new Run(last.first(), last.count() + 1, last.done(), Document.EMPTY));
    } else {
      runs.add(next);
    }
  }

  /** Caches a stored receipt and evicts the least recently used ones. */
  void cache(ByteKey session, Receipt receipt) {
    receipt.head().ifPresent(head -> cache(session, head));
    receipt
        .blocks()
        .forEach(
            (block, chain) -> cacheAt(new ByteKey(Layout.receiptBlock(session, block)), chain));
  }

  /** As {@link #cache(ByteKey, Receipt)}, for a number with one chain. */
  public void cache(ByteKey session, Chain chain) {
    cacheAt(new ByteKey(Layout.receipt(session)), chain);
  }

  private synchronized @Nullable Known cached(ByteKey key) {
    return known.get(key);
  }

  private synchronized void cacheAt(ByteKey key, Chain chain) {
    drop(key);
    long size = OVERHEAD + key.array().length + chain.bytes();
    if (size > MAX_BYTES / 8) {
      return;
    }
    known.put(key, new Known(chain, size));
    bytes += size;
    while (bytes > MAX_BYTES) {
      drop(known.keySet().iterator().next());
    }
  }

  private synchronized void drop(ByteKey key) {
    Known before = known.remove(key);
    bytes -= before == null ? 0 : before.bytes();
  }

  /** Clears the cache: it may differ from what is stored. */
  public synchronized void clear() {
    known.clear();
    bytes = 0;
  }

  /**
   * Searches some sessions and returns a batch that deletes the receipts of those that are idle
   * since an instant. A search of all sessions starts every few minutes.
   *
   * @param since epoch milliseconds
   * @param most the maximum number of sessions to look at
   */
  public Batch deleteIdle(long since, int most) {
    Batch batch = new Batch();
    if (idle.equals(all()) && since < nextSearch) {
      return batch;
    }
    int looked = 0;
    try (Scan scan = shard.scan(Space.META, idle, Direction.UP)) {
      while (looked < most && scan.next()) {
        looked++;
        if (Chain.usedAt(scan.value()) <= since) {
          forget(batch, scan.key());
          forgetBlocks(batch, Layout.receiptSession(scan.key()));
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

  private void forget(Batch batch, byte[] key) {
    batch.delete(Space.META, key);
    drop(new ByteKey(key));
  }

  private void forgetBlocks(Batch batch, ByteKey session) {
    Range blocks = Range.prefix(Layout.receiptBlocks(session));
    try (Scan scan = shard.scan(Space.META, blocks, Direction.UP)) {
      while (scan.next()) {
        forget(batch, scan.key());
      }
    }
  }

  /** Returns whether the search for idle sessions has not reached the end. */
  public boolean searching() {
    return !idle.equals(all());
  }

  /** The approximate size of the cache. */
  long bytes() {
    return bytes;
  }
}
