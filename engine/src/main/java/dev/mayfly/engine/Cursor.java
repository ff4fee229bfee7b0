package dev.mayfly.engine;

import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.expiry.Header;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Query;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The documents of a query, one after the other, as they were at one instant.
 *
 * <p>What was live at that instant is left alone by the sweep until the cursor is closed. Belongs
 * to one thread at a time; must be closed.
 */
public final class Cursor implements AutoCloseable {
  private final Query query;
  private final Plan plan;
  private final Supplier<Explanation.Access> access;
  private final List<Source> sources;
  private final List<RecordStream.Matching> matching;
  private final RecordStream records;
  private final DoubleConsumer onClose;
  private final Use use;
  private final Charge charge = new Charge();

  private long toSkip;
  private long left;
  private long passed;
  private byte @Nullable [] current;
  private boolean closed;

  /**
   * @param access what the plan is, when somebody asks
   * @param workspace what a sort may use
   * @param use keeps what is read from there while the cursor works
   */
  Cursor(
      Query query,
      Plan plan,
      Supplier<Explanation.Access> access,
      List<Source> sources,
      Workspace workspace,
      DoubleConsumer onClose,
      Use use) {
    this.query = query;
    this.plan = plan;
    this.access = access;
    this.sources = sources;
    this.onClose = onClose;
    this.use = use;
    this.toSkip = query.skip();
    this.left = query.limit();
    this.matching = matching();
    this.records = open(matching, workspace);
    charge.add(Charge.QUERY);
  }

  private List<RecordStream.Matching> matching() {
    Function<byte[], Document> view = WriteTime.view(query);
    List<RecordStream.Matching> streams = new ArrayList<>();
    for (Source source : sources) {
      Matcher matcher = query.filter().matcher(query.mode());
      streams.add(new RecordStream.Matching(source, matcher, view, charge));
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

  /** Holds off whoever would take away what a cursor reads while it does. */
  interface Use {
    /** Nobody would. */
    Use FREE =
        new Use() {
          @Override
          public void begin() {}

          @Override
          public void end() {}

          @Override
          public void whole(Runnable closing) {
            closing.run();
          }
        };

    /** Throws when it has been taken away already. */
    void begin();

    void end();

    /** Closes the cursor while nobody else does. */
    void whole(Runnable closing);
  }

  /** What became of {@link #advance}. */
  public enum Progress {
    /** The cursor is at the next document. */
    FOUND,
    /** It has looked at as much as it may and found none yet. */
    RESTING,
    /** There is none. */
    ENDED
  }

  /**
   * Goes to the next document; false when there is none.
   *
   * @throws EngineException SORT_TOO_LARGE when a sort needs more than it may use
   */
  public boolean next() {
    return advance(Long.MAX_VALUE) == Progress.FOUND;
  }

  /**
   * Goes to the next document, but looks at no more than so many entries and records of each shard
   * for it. Asked again, it goes on.
   *
   * @throws EngineException SORT_TOO_LARGE when a sort needs more than it may use
   */
  public Progress advance(long looks) {
    use.begin();
    try {
      return work(looks);
    } finally {
      use.end();
    }
  }

  private Progress work(long looks) {
    for (Source source : sources) {
      source.allow(looks);
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
        current = record;
        return Progress.FOUND;
      }
    }
    return Progress.ENDED;
  }

  /**
   * Where the cursor is, in a form that can be kept: {@link Collection#resume} goes on behind it,
   * in another process if need be. Where it has to sort, and where a document can be come upon
   * several times, that is the number of documents so far, and going on finds those again.
   */
  public byte[] place() {
    Bookmark.Way way = Bookmark.Way.of(plan);
    boolean counted =
        sorts() || way.equals(Bookmark.NONE) || sources.stream().anyMatch(Source::repeats);
    Bookmark place =
        counted
            ? new Bookmark.Skipped(Math.max(passed, query.skip()))
            : new Bookmark.Reached(way, records.positions());
    return place.bytes();
  }

  /** The document the cursor is at. */
  public Stored current() {
    // shards differ in what is swept, not in when documents will expire
    return ShardOwner.stored(sources.getFirst().schedule(), record());
  }

  private byte[] record() {
    byte[] at = current;
    if (at == null) {
      throw new IllegalStateException("the cursor is not at a document");
    }
    return at;
  }

  /** The bytes of the document the cursor is at. */
  public Document document() {
    return Group.documentOf(record());
  }

  /** When the document the cursor is at expires, or {@link dev.mayfly.expiry.Deadline#NEVER}. */
  public long deadline() {
    return current().deadline();
  }

  /** What the query has cost so far, in request units. */
  public double charge() {
    return charge.units() + (keysExamined() + documentsExamined()) * Charge.LOOK;
  }

  private long keysExamined() {
    return sources.stream().mapToLong(Source::keys).sum();
  }

  /** How many documents have been looked at. */
  public long documentsExamined() {
    return sources.stream().mapToLong(Source::documents).sum();
  }

  /** How many bytes of keys are kept, not to give a document twice. */
  long keptBytes() {
    return sources.stream().mapToLong(Source::keptBytes).sum();
  }

  /** How the documents are found, and what that has taken so far. */
  public Explanation explain() {
    long matched = matching.stream().mapToLong(RecordStream.Matching::matched).sum();
    return new Explanation(access.get(), sorts(), keysExamined(), documentsExamined(), matched);
  }

  /**
   * When the document the cursor is at came into the collection, as a number that grows from one
   * arrival to the next; see {@link Collection#arrivals}.
   */
  public long arrival() {
    return Header.born(record(), 0);
  }

  /**
   * The values of the key by which the document the cursor is at was found, by their paths; empty
   * when no index led to it.
   */
  public Document indexKey() {
    return switch (plan) {
      case Plan.Index(_, IndexMatch match) -> match.keyOf(document());
      case Plan.Ids(IndexMatch match) -> match.keyOf(document());
      case Plan.Point _ -> idOf(document());
      case Plan.Union _, Plan.Records _, Plan.Behind _, Plan.Arrivals _ -> Document.EMPTY;
    };
  }

  private static Document idOf(Document document) {
    String id = Dialect.MONGO.id().toString();
    return Document.writer().put(id, document.field(id)).build();
  }

  /** How the documents are found, in a line for people. */
  public String plan() {
    return plan.describe();
  }

  /** Whether the order must be made: sources that are in order are merged. */
  public boolean sorts() {
    return !query.order().isEmpty()
        && !(plan.ordered() && sources.stream().allMatch(Source::inPlanOrder));
  }

  @Override
  public void close() {
    use.whole(this::closeOnce);
  }

  boolean closed() {
    return closed;
  }

  private void closeOnce() {
    if (!closed) {
      closed = true;
      records.close();
      onClose.accept(charge());
    }
  }
}
