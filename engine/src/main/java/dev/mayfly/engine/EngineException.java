package dev.mayfly.engine;

import dev.mayfly.value.Document;

/**
 * An operation that could not be done, with a reason from a closed list; nothing was changed, but
 * for {@link Reason#OUTCOME_UNKNOWN}.
 */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Why. Each door translates these in one place. */
  public enum Reason {
    /** The collection does not exist. */
    NO_SUCH_COLLECTION,
    /** A collection of that name exists. */
    COLLECTION_EXISTS,
    /** The options of a collection contradict each other or cannot be changed that way. */
    BAD_SPEC,
    /** Time to live needs an index: indexing mode none and a TTL exclude each other. */
    TTL_NEEDS_INDEXING,
    /** A document's own ttl is not -1 or 1..2147483647. */
    BAD_TTL,
    /** The document lacks an id, its id or partition key cannot be one, or it would change. */
    BAD_KEY,
    /** An indexed path holds what cannot be indexed. */
    CANNOT_INDEX,
    /** A path to places on the sphere holds what tells no place. */
    BAD_GEOMETRY,
    /** A live document has that id. */
    DUPLICATE_ID,
    /** A live document holds that unique key. */
    DUPLICATE_KEY,
    /** No live document has that id. */
    NOT_FOUND,
    /** The document is not at the expected version. */
    VERSION_MISMATCH,
    /** The function of an update did not want the document; the cause says why. */
    REJECTED,
    /** The provisioned throughput of this second is used up. */
    THROTTLED,
    /** The position lies before the oldest change that is kept. */
    TRIMMED,
    /** Nothing can be undone: no rule change within the grace. */
    NOTHING_TO_UNDO,
    /** A sort would hold more than its memory limit. */
    SORT_TOO_LARGE,
    /** The rule change would expire more documents at once than its guard allows. */
    EXPIRES_TOO_MUCH,
    /** A place in an array is also the name of a field there: an index cannot tell them apart. */
    AMBIGUOUS_FIELD,
    /** A query insists on an index that does not exist or cannot answer it. */
    BAD_HINT,
    /** Another transaction, or a write since this one began, has changed what it would change. */
    WRITE_CONFLICT,
    /** A later write or transaction of the session was seen before. */
    TRANSACTION_TOO_OLD,
    /** The transaction has been aborted, has been committed or has lasted too long. */
    NO_SUCH_TRANSACTION,
    /** The collection was dropped while it was read. */
    DROPPED,
    /** What was there at an instant can no longer be read. */
    SNAPSHOT_TOO_OLD,
    /** The transaction has written more than it may. */
    TRANSACTION_TOO_LARGE,
    /** The store beneath cannot do that. */
    NOT_SUPPORTED,
    /** The data directory holds what this version cannot read. */
    UNREADABLE,
    /** An error of the machine, such as lack of memory, ended it; nothing was changed. */
    FAILED,
    /**
     * The change may have been made or not, or may not survive loss of power: the error came while
     * it was committed or flushed to disk.
     */
    OUTCOME_UNKNOWN,
    /** The engine is closed. */
    CLOSED
  }

  private final Reason reason;
  private final String detail;
  private final long number;
  private final transient Document key;

  public EngineException(Reason reason, String detail) {
    this(reason, detail, 0);
  }

  /** A failure with a number that a door passes on, such as the milliseconds to wait. */
  public EngineException(Reason reason, String detail, long number) {
    this(reason, detail, number, Document.EMPTY);
  }

  private EngineException(Reason reason, String detail, long number, Document key) {
    super(reason + ": " + detail);
    this.reason = reason;
    this.detail = detail;
    this.number = number;
    this.key = key;
  }

  /**
   * A key that another document holds: the index, and the values by the paths they are found at.
   */
  public static EngineException duplicate(Reason reason, String index, Document key) {
    return new EngineException(reason, index, 0, key);
  }

  /** A refusal by the function of an update, for its caller to find again. */
  public static EngineException rejected(RuntimeException why) {
    EngineException rejected =
        new EngineException(Reason.REJECTED, String.valueOf(why.getMessage()));
    rejected.initCause(why);
    return rejected;
  }

  /** An error that came before anything was written. */
  public static EngineException failed(String detail, Throwable cause) {
    EngineException failed = new EngineException(Reason.FAILED, detail);
    failed.initCause(cause);
    return failed;
  }

  /** An error that came when something may have been written. */
  public static EngineException unknown(String detail, Throwable cause) {
    EngineException unknown = new EngineException(Reason.OUTCOME_UNKNOWN, detail);
    unknown.initCause(cause);
    return unknown;
  }

  /** Whether an error of the machine ended it; the operation itself was not refused. */
  public boolean ofTheMachine() {
    return reason == Reason.FAILED || reason == Reason.OUTCOME_UNKNOWN;
  }

  public Reason reason() {
    return reason;
  }

  /** What it is about: the index, the field, the collection. */
  public String detail() {
    return detail;
  }

  /** A number that belongs to the reason: milliseconds to wait, documents that would expire. */
  public long number() {
    return number;
  }

  /** Of a duplicate, the values of its key by the paths of the index; else empty. */
  public Document key() {
    return key;
  }
}
