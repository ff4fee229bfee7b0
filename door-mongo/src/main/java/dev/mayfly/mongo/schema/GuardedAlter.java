package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.engine.Usage;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.function.UnaryOperator;

/** Changes of collections that can expire documents, with the limit {@code maxExpireNow}. */
final class GuardedAlter {
  /**
   * The field of a request with the maximum number of documents that a change may expire at once.
   */
  static final String GUARD = "maxExpireNow";

  private GuardedAlter() {}

  /**
   * Changes a collection.
   *
   * @param expires whether the change can expire documents, which are then counted
   * @return the documents that the change has expired
   * @throws CommandException OPERATION_FAILED if these are more than the limit of the request;
   *     nothing is changed
   */
  static Usage apply(
      Request request,
      Collection collection,
      UnaryOperator<CollectionSpec> change,
      boolean expires) {
    ExpiryService expiry = collection.expiry(request.operation());
    return ChangeAuthor.as(
        author(request),
        () -> {
          if (request.has(GUARD)) {
            return guarded(expiry, change, request.count(GUARD, 0));
          }
          if (expires) {
            return expiry.alter(change, ExpiryService.NO_LIMIT);
          }
          collection.alter(change);
          return Usage.NONE;
        });
  }

  /** The author of changes of a request, for the history of rules. */
  static String author(Request request) {
    return request.client().identity().map(user -> "mongodb: " + user).orElse("mongodb");
  }

  private static Usage guarded(
      ExpiryService expiry, UnaryOperator<CollectionSpec> change, long limit) {
    try {
      return expiry.alter(change, limit);
    } catch (EngineException failure) {
      if (failure.reason() != EngineException.Reason.EXPIRES_TOO_MUCH) {
        throw failure;
      }
      throw new CommandException(
              ErrorCode.OPERATION_FAILED,
              "The change would expire "
                  + failure.number()
                  + " documents at once, but maxExpireNow is "
                  + limit)
          .with(details("wouldExpireNow", failure.number()));
    }
  }

  /** Writes the number of expired documents, if they were counted. */
  static void writeExpired(Request request, boolean expires, Usage expired, DocumentWriter reply) {
    if (expires || request.has(GUARD)) {
      reply.startDocument("mayfly").put("expiredNow", expired.documents()).end();
    }
  }

  private static Document details(String field, long documents) {
    return Document.writer().startDocument("mayfly").put(field, documents).end().build();
  }
}
