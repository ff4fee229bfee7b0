package dev.mayfly.engine;

import dev.mayfly.value.Document;

/**
 * Failure of an operation, with a reason from a closed list. Nothing was changed, except possibly
 * for {@link Reason#OUTCOME_UNKNOWN}.
 */
public final class EngineException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Reason of a failure. Each protocol translates them in one place. */
  public enum Reason {
    /** The collection does not exist. */
    NO_SUCH_COLLECTION,
    /** A collection of that name exists. */
    COLLECTION_EXISTS,
    /** The options of a collection contradict each other or cannot be changed that way. */
    BAD_SPEC,
    /** Time to live needs indexing: indexing mode none and a TTL exclude each other. */
    TTL_NEEDS_INDEXING,
    /** A document's own ttl is not -1 or 1..2147483647. */
    BAD_TTL,
    /** Id or partition key are missing, invalid, or would change. */
    BAD_KEY,
    /** The value at an indexed path cannot be indexed. */
    CANNOT_INDEX,
    /** The value at a spherical index part is not a valid geometry. */
    BAD_GEOMETRY,
    /** A live document has that id. */
    DUPLICATE_ID,
    /** A live document has that unique key. */
    DUPLICATE_KEY,
    /** No live document has that id. */
    NOT_FOUND,
    /** The document does not have the expected version. */
    VERSION_MISMATCH,
    /** The function of an update rejected the document; see the cause. */
    REJECTED,
    /** The provisioned throughput of this second is used up. */
    THROTTLED,
    /** The position is before the oldest change that is kept. */
    TRIMMED,
    /** Nothing can be undone: no rule change within the grace. */
    NOTHING_TO_UNDO,
    /** A sort would exceed its memory limit. */
    SORT_TOO_LARGE,
    /** The rule change would expire more documents at once than its guard allows. */
    EXPIRES_TOO_MUCH,
    /** The rules are no longer those that the rule change was made for. */
    RULES_CHANGED,
    /** A path step is both an array index and a field name there: the index would be ambiguous. */
    AMBIGUOUS_FIELD,
    /** The hint names an index that does not exist or cannot answer the query. */
    BAD_HINT,
    /** Write conflict: another transaction or a later write has changed the same document. */
    WRITE_CONFLICT,
    /** The session has already sent a later write or transaction. */
    TRANSACTION_TOO_OLD,
    /** The transaction was aborted or committed, or has exceeded its time limit. */
    NO_SUCH_TRANSACTION,
    /** The collection was dropped while it was read. */
    DROPPED,
    /** The snapshot of an instant can no longer be read. */
    SNAPSHOT_TOO_OLD,
    /** The transaction has exceeded its size limit. */
    TRANSACTION_TOO_LARGE,
    /** The store does not support it. */
    NOT_SUPPORTED,
    /** The data directory has a format that this version cannot read. */
    UNREADABLE,
    /** An error of the machine, such as lack of memory; nothing was changed. */
    FAILED,
    /**
     * The error came during the commit or the flush to disk: the change may have been made or not,
     * or may not survive a power failure.
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

  /** A failure with a number for the client, such as the milliseconds to wait. */
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

  /** A duplicate key: the index, and the values by path. */
  public static EngineException duplicate(Reason reason, String index, Document key) {
    return new EngineException(reason, index, 0, key);
  }

  /** A rejection by the function of an update; its caller finds the cause again. */
  public static EngineException rejected(RuntimeException why) {
    EngineException rejected =
        new EngineException(Reason.REJECTED, String.valueOf(why.getMessage()));
    rejected.initCause(why);
    return rejected;
  }

  /** An error before anything was written. */
  public static EngineException failed(String detail, Throwable cause) {
    EngineException failed = new EngineException(Reason.FAILED, detail);
    failed.initCause(cause);
    return failed;
  }

  /** An error after something may have been written. */
  public static EngineException unknown(String detail, Throwable cause) {
    EngineException unknown = new EngineException(Reason.OUTCOME_UNKNOWN, detail);
    unknown.initCause(cause);
    return unknown;
  }

  /** Returns whether an error of the machine is the reason, and not the operation itself. */
  public boolean isMachineFailure() {
    return reason == Reason.FAILED || reason == Reason.OUTCOME_UNKNOWN;
  }

  public Reason reason() {
    return reason;
  }

  /** Returns the subject: an index, a field or a collection. */
  public String detail() {
    return detail;
  }

  /** Returns the number of the reason: milliseconds to wait, documents that would expire. */
  public long number() {
    return number;
  }

  /** Returns the key of a duplicate by path; empty for other reasons. */
  public Document key() {
    return key;
  }
}
