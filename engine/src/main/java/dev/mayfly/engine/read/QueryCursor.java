package dev.mayfly.engine.read;

import dev.mayfly.engine.Charge;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.engine.storage.WriteTime;
import dev.mayfly.expiry.Header;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Query;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.store.NotCachedException;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Cursor over the documents of a query, as of one instant. The sweep keeps documents that were live
 * at that instant until the cursor is closed. Used by one thread at a time; must be closed.
 */
public final class QueryCursor implements Cursor {
  /**
   * Lock of the snapshot of a cursor: held while the cursor reads, so that the owner of the
   * snapshot does not close it.
   */
  public interface Use {
    /** The cursor owns its snapshot: no lock is needed. */
    Use NONE =
        new Use() {
          @Override
          public void begin() {}

          @Override
          public void end() {}

          @Override
          public void close(Runnable closing) {
            closing.run();
          }
        };

    /** Takes the lock; throws if the snapshot is closed. */
    void begin();

    void end();

    /** Closes the cursor under the lock. */
    void close(Runnable closing);
  }

  private final Query query;
  private final Plan plan;
  private final Supplier<Explanation.Access> access;
  private final List<ShardScan> sources;
  private final List<RecordStream.Matching> matching;
  private final RecordStream records;
  private final DoubleConsumer onClose;
  private final Use use;
  private final @Nullable Consumer<byte[]> touching;
  private final @Nullable InlineQueries inline;
  private final Charge charge = new Charge();

  private long toSkip;
  private long left;
  private long passed;
  private byte @Nullable [] current;
  private boolean closed;

  /**
   * @param access describes the plan, on demand
   * @param workspace memory and files for a sort
   * @param onClose receives the cost in request units
   * @param use held while the cursor reads
   * @param touching receives records that count as read, for sliding expiry; null if none slides
   * @param inline of a cursor on an event loop; null if it may block
   */
  public QueryCursor(
      Query query,
      Plan plan,
      Supplier<Explanation.Access> access,
      List<ShardScan> sources,
      Workspace workspace,
      DoubleConsumer onClose,
      Use use,
      @Nullable Consumer<byte[]> touching,
      @Nullable InlineQueries inline) {
    this.query = query;
    this.plan = plan;
    this.access = access;
    this.sources = sources;
    this.onClose = onClose;
    this.use = use;
    this.touching = touching;
    this.inline = inline;
    this.toSkip = query.skip();
    this.left = query.limit();
    this.matching = matching();
    this.records = open(matching, workspace);
    charge.add(Charge.QUERY);
  }

  private List<RecordStream.Matching> matching() {
    Function<byte[], Document> view = WriteTime.view(query);
    List<RecordStream.Matching> streams = new ArrayList<>();
    for (ShardScan shardScan : sources) {
      Matcher matcher = query.filter().matcher(query.mode());
      streams.add(new RecordStream.Matching(shardScan, matcher, view, charge));
    }
    return streams;
  }

  private RecordStream open(List<RecordStream.Matching> streams, Workspace workspace) {
    if (query.order().isEmpty() || (streams.size() == 1 && !sorts())) {
      return new RecordStream.InTurn(streams);
    }
    Function<byte[], Document> view = WriteTime.view(query);
    DocumentComparator order = new DocumentComparator(query.order(), query.mode());
    if (!sorts()) {
      return new RecordStream.Merged(streams, order, view);
    }
    boolean all = query.limit() > Long.MAX_VALUE - query.skip();
    long wanted = all ? Long.MAX_VALUE : query.skip() + query.limit();
    return new RecordStream.Sorted(
        new RecordStream.InTurn(streams), order, view, workspace, wanted);
  }

  @Override
  public boolean next() {
    return advance(Long.MAX_VALUE) == Progress.FOUND;
  }

  @Override
  public Progress advance(long looks) {
    use.begin();
    try {
      return inline == null ? work(looks) : workInline();
    } finally {
      use.end();
    }
  }

  /** Works within a limit for all calls; throws WouldBlock beyond it. */
  private Progress workInline() {
    try {
      Progress progress = work(InlineQueries.MAX_LOOKS - keysExamined() - documentsExamined());
      if (progress == Progress.RESTING) {
        throw new WouldBlock();
      }
      return progress;
    } catch (NotCachedException onDisk) {
      throw new WouldBlock();
    }
  }

  private Progress work(long looks) {
    for (ShardScan shardScan : sources) {
      shardScan.allow(looks);
    }
    current = null;
    while (left > 0) {
      byte[] record = records.next();
      if (record == null) {
        if (records.resting()) {
          return Progress.RESTING;
        }
        left = 0;
      } else if (toSkip > 0) {
        toSkip--;
        passed++;
      } else {
        left--;
        passed++;
        if (touching != null && query.touches()) {
          touching.accept(record);
        }
        current = record;
        return Progress.FOUND;
      }
    }
    return Progress.ENDED;
  }

  @Override
  public byte[] place() {
    ResumePoint.AccessPath way = ResumePoint.AccessPath.of(plan);
    boolean counted =
        sorts() || way.equals(ResumePoint.NONE) || sources.stream().anyMatch(ShardScan::repeats);
    ResumePoint place =
        counted
            ? new ResumePoint.Skipped(Math.max(passed, query.skip()))
            : new ResumePoint.Reached(way, records.positions());
    return place.bytes();
  }

  @Override
  public StoredDocument current() {
    // the lanes are the same in all shards; only the marks differ
    return RecordFormat.stored(sources.getFirst().schedule(), record());
  }

  @Override
  public void touch() {
    if (touching != null) {
      touching.accept(record());
    }
  }

  private byte[] record() {
    byte[] at = current;
    if (at == null) {
      throw new IllegalStateException("the cursor is not at a document");
    }
    return at;
  }

  @Override
  public Document document() {
    return RecordFormat.document(record());
  }

  @Override
  public long deadline() {
    return current().deadline();
  }

  @Override
  public double charge() {
    return charge.units() + (keysExamined() + documentsExamined()) * Charge.LOOK;
  }

  private long keysExamined() {
    return sources.stream().mapToLong(ShardScan::keys).sum();
  }

  @Override
  public long documentsExamined() {
    return sources.stream().mapToLong(ShardScan::documents).sum();
  }

  /** Memory for keys of documents that must not be returned twice, in bytes. */
  public long keptBytes() {
    return sources.stream().mapToLong(ShardScan::keptBytes).sum();
  }

  @Override
  public Explanation explain() {
    long matched = matching.stream().mapToLong(RecordStream.Matching::matched).sum();
    return new Explanation(access.get(), sorts(), keysExamined(), documentsExamined(), matched);
  }

  @Override
  public List<String> indexes() {
    return gaveUp() ? List.of() : indexes(plan).distinct().toList();
  }

  private static Stream<String> indexes(Plan plan) {
    return switch (plan) {
      case Plan.Point _, Plan.Ids _ -> Stream.of(Planner.ID_INDEX.name());
      case Plan.Index(IndexState index, _) -> Stream.of(index.spec().name());
      case Plan.Union(List<Plan.Branch> branches) ->
          branches.stream().flatMap(branch -> indexes(branch.way()));
      case Plan.Records _, Plan.After _, Plan.Arrivals _ -> Stream.empty();
    };
  }

  @Override
  public long arrival() {
    return Header.born(record(), 0);
  }

  @Override
  public Document indexKey() {
    return switch (plan) {
      case Plan.Index(_, IndexMatch match) -> match.keyOf(document());
      case Plan.Ids(IndexMatch match) -> match.keyOf(document());
      case Plan.Point _ -> idOf(document());
      case Plan.Union _, Plan.Records _, Plan.After _, Plan.Arrivals _ -> Document.EMPTY;
    };
  }

  private static Document idOf(Document document) {
    String id = Dialect.MONGO.id().toString();
    return Document.writer().put(id, document.field(id)).build();
  }

  @Override
  public String plan() {
    return plan.describe();
  }

  @Override
  public boolean sorts() {
    return sorts(query, plan, sources);
  }

  /** Returns whether a query has to be sorted: neither a plan nor its scans give its order. */
  public static boolean sorts(Query query, Plan plan, List<ShardScan> sources) {
    return !query.order().isEmpty()
        && !(plan.ordered() && sources.stream().allMatch(ShardScan::inPlanOrder));
  }

  /** Returns this cursor with whether it has an order. */
  public Planned planned() {
    return new Planned(this, !query.order().isEmpty());
  }

  /** Whether it is on an event loop and has not come to its end: a worker runs the query again. */
  private boolean gaveUp() {
    return inline != null && left > 0;
  }

  @Override
  public void close() {
    use.close(this::closeOnce);
  }

  public boolean closed() {
    return closed;
  }

  private void closeOnce() {
    if (!closed) {
      closed = true;
      records.close();
      onClose.accept(gaveUp() ? 0 : charge());
      if (inline != null) {
        inline.end(!gaveUp());
      }
    }
  }
}
