package dev.mayfly.cosmos.rest;

import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.engine.EngineException;
import dev.mayfly.query.QueryException;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.ValueException;
import java.lang.System.Logger.Level;

/** Translates exceptions of the engine and of parsers into errors of the protocol. */
public final class Failures {
  private static final System.Logger LOG = System.getLogger(Failures.class.getName());
  private static final int OWNER_MISSING = 1003;
  private static final int RATE_EXCEEDED = 3200;

  /** Text that clients of the all-versions change feed look for in an error. */
  public static final String OUTSIDE_RETENTION =
      "You must read the change feed from within the retention period.";

  private Failures() {}

  /** Returns the error for a failure; an error of the server is a 500 without details. */
  public static CosmosException of(RuntimeException failure) {
    return switch (failure) {
      case CosmosException error -> error;
      case EngineException engine -> ofEngine(engine);
      case ValueException value -> ofValue(value);
      case QueryException query -> CosmosException.wrong(String.valueOf(query.getMessage()));
      case StoreException store -> ofStore(store);
      case MovedException _ -> unavailable();
      case PeerException peer -> ofPeer(peer);
      default -> internal(failure);
    };
  }

  private static CosmosException ofEngine(EngineException failure) {
    return switch (failure.reason()) {
      case NO_SUCH_COLLECTION, DROPPED ->
          new CosmosException(
              Status.NOT_FOUND,
              OWNER_MISSING,
              CosmosException.errors("Owner resource does not exist"));
      case COLLECTION_EXISTS -> CosmosException.exists();
      case BAD_SPEC, CANNOT_INDEX, AMBIGUOUS_FIELD, BAD_GEOMETRY, BAD_HINT ->
          CosmosException.wrong(failure.detail());
      case SORT_TOO_LARGE ->
          CosmosException.wrong(
              "Query exceeded the maximum allowed memory usage. Please consider adding more filters"
                  + " to reduce the query response size.");
      case NOTHING_TO_UNDO ->
          new CosmosException(
              Status.PRECONDITION_FAILED,
              CosmosException.errors(
                  "Nothing can be undone: no change of time to live within the grace period of the"
                      + " container (mayflyGraceSeconds) has expired items."));
      case TTL_NEEDS_INDEXING ->
          CosmosException.wrong(
              "Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the"
                  + " collection");
      case BAD_TTL -> CosmosException.wrong(badTtl(failure.detail()));
      case BAD_KEY ->
          CosmosException.wrong("The id or partition key is invalid: " + failure.detail());
      case DUPLICATE_ID -> conflict("Entity with the specified id already exists in the system.");
      case DUPLICATE_KEY -> conflict("Unique index constraint violation.");
      case NOT_FOUND ->
          new CosmosException(
              Status.NOT_FOUND,
              CosmosException.errors("Entity with the specified id does not exist in the system."));
      case VERSION_MISMATCH -> preconditionFailed();
      case EXPIRES_TOO_MUCH ->
          new CosmosException(Status.PRECONDITION_FAILED, CosmosException.errors(failure.detail()))
              .withHeader(HeaderNames.EXPIRE_NOW, Long.toString(failure.number()));
      case RULES_CHANGED ->
          new CosmosException(Status.PRECONDITION_FAILED, CosmosException.errors(failure.detail()));
      case REJECTED ->
          failure.getCause() instanceof RuntimeException cause ? of(cause) : internal(failure);
      case THROTTLED -> throttled(failure.number());
      case TRIMMED ->
          CosmosException.wrong(
              "The continuation token is older than the oldest retained change. "
                  + OUTSIDE_RETENTION);
      case WRITE_CONFLICT ->
          new CosmosException(
              Status.RETRY_WITH,
              CosmosException.errors(
                  "A concurrent transaction writes to the item: retry the request."));
      case TRANSACTION_TOO_LARGE ->
          new CosmosException(
              Status.TOO_LARGE, CosmosException.errors("Request size is too large"));
      case TRANSACTION_TOO_OLD, NO_SUCH_TRANSACTION, SNAPSHOT_TOO_OLD ->
          CosmosException.wrong(failure.detail());
      case NOT_SUPPORTED ->
          new CosmosException(Status.NOT_IMPLEMENTED, CosmosException.errors(failure.detail()));
      case CLOSED -> unavailable();
      case UNREADABLE, FAILED, OUTCOME_UNKNOWN -> internal(failure);
    };
  }

  /** Returns a 412: the resource has another version. */
  public static CosmosException preconditionFailed() {
    return new CosmosException(
        Status.PRECONDITION_FAILED,
        CosmosException.errors("One of the specified pre-condition is not met."));
  }

  /** Returns the message for an invalid ttl of an item or a container. */
  public static String badTtl(String value) {
    return "The input ttl '"
        + value
        + "' is invalid. Ensure to provide a nonzero positive integer less than or equal to"
        + " '2147483647', or '-1' which means never expire.";
  }

  private static CosmosException conflict(String error) {
    return new CosmosException(Status.CONFLICT, CosmosException.errors(error));
  }

  private static CosmosException throttled(long millis) {
    return new CosmosException(
            Status.TOO_MANY_REQUESTS,
            RATE_EXCEEDED,
            CosmosException.errors(
                "Request rate is large. More Request Units may be needed, so no changes were made."
                    + " Please retry this request later."))
        .withHeader(HeaderNames.RETRY_AFTER, Long.toString(millis));
  }

  private static CosmosException ofValue(ValueException failure) {
    return switch (failure.reason()) {
      case TOO_LARGE ->
          new CosmosException(
              Status.TOO_LARGE, CosmosException.errors("Request size is too large"));
      case MALFORMED, NOT_JSON, TOO_DEEP, WRONG_TYPE ->
          CosmosException.wrong(
              "The request payload is invalid. Ensure to provide a valid request payload: "
                  + failure.getMessage());
    };
  }

  private static CosmosException ofStore(StoreException failure) {
    return switch (failure.reason()) {
      case DISK_FULL ->
          new CosmosException(
              Status.FORBIDDEN,
              CosmosException.errors(
                  "The server is read-only, because its disk is full. Reads and deletes work; other"
                      + " writes are rejected until disk space is free."));
      case FENCED, CLOSED, UNAVAILABLE, UNSURE, SNAPSHOT_GONE -> unavailable();
      case CORRUPT, IN_USE, NEWER_FORMAT, IO -> internal(failure);
    };
  }

  /** No request reaches a client that has given it up; the status is for the log. */
  private static CosmosException ofPeer(PeerException failure) {
    return switch (failure.reason()) {
      case NOT_SENT -> unavailable();
      case LOST ->
          new CosmosException(
              Status.UNAVAILABLE,
              CosmosException.errors(
                  "The server of the database has been lost during the request, which may have"
                      + " taken effect. Read the resource before you repeat a write."));
      case ABANDONED ->
          new CosmosException(Status.REQUEST_TIMEOUT, "The client has closed its connection.");
      case FAILED -> internal(failure);
    };
  }

  private static CosmosException unavailable() {
    return new CosmosException(
        Status.UNAVAILABLE, CosmosException.errors("Service is currently unavailable."));
  }

  private static CosmosException internal(RuntimeException failure) {
    LOG.log(Level.ERROR, "internal error in a request", failure);
    return new CosmosException(
        Status.INTERNAL,
        CosmosException.errors("Unknown server error occurred when processing this request."));
  }
}
