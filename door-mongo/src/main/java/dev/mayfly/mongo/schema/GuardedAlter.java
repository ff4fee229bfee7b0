package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.Usage;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.function.UnaryOperator;

/** Changes collections, and tells how many documents that expires. */
final class GuardedAlter {
  /** The field by which a client limits how many documents a change may expire at once. */
  static final String GUARD = "maxExpireNow";

  private GuardedAlter() {}

  /**
   * Changes a collection as its client allows.
   *
   * @param expires whether the change may expire documents, which are then counted
   * @return what it has expired
   * @throws CommandException OPERATION_FAILED when that would be more than the guard of the request
   */
  static Usage apply(
      Request request,
      Collection collection,
      UnaryOperator<CollectionSpec> change,
      boolean expires) {
    if (request.has(GUARD)) {
      return guarded(collection, change, request.count(GUARD, 0));
    }
    if (expires) {
      return collection.expiry().alter(change, ExpiryService.NO_LIMIT);
    }
    collection.alter(change);
    return Usage.NONE;
  }

  private static Usage guarded(
      Collection collection, UnaryOperator<CollectionSpec> change, long most) {
    try {
      return collection.expiry().alter(change, most);
    } catch (EngineException refused) {
      if (refused.reason() != EngineException.Reason.EXPIRES_TOO_MUCH) {
        throw refused;
      }
      throw new CommandException(
              ErrorCode.OPERATION_FAILED,
              "this would expire "
                  + refused.number()
                  + " documents at once, more than the "
                  + most
                  + " that maxExpireNow allows")
          .with(told("wouldExpireNow", refused.number()));
    }
  }

  /** Writes how many documents a change has expired, when that was a question. */
  static void tell(Request request, boolean expires, Usage expired, DocumentWriter reply) {
    if (expires || request.has(GUARD)) {
      reply.startDocument("mayfly").put("expiredNow", expired.documents()).end();
    }
  }

  private static Document told(String field, long documents) {
    return Document.writer().startDocument("mayfly").put(field, documents).end().build();
  }
}
