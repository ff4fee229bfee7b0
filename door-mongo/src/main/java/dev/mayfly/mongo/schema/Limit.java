package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.mongo.collection.Description;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Type;
import java.util.Set;

/**
 * Parser of {@code mayflyLimit}: the limits of a bounded collection, beyond which writes evict the
 * documents that expire first. This option is Mayfly's own.
 */
final class Limit {
  static final String FIELD = Description.LIMIT;

  private static final String BYTES = "maxBytes";
  private static final String DOCUMENTS = "maxDocuments";
  private static final String EVICT = "evict";

  private Limit() {}

  /**
   * Returns the spec with the limits of the request; unchanged if the request has none.
   *
   * @throws CommandException if they are invalid
   */
  static CollectionSpec withLimit(Section request, CollectionSpec spec) {
    if (!request.has(FIELD)) {
      return spec;
    }
    if (spec.capped()) {
      throw invalid("a capped collection has no '" + FIELD + "'");
    }
    if (request.field(FIELD).type() == Type.STRING && request.text(FIELD).equals("off")) {
      return spec.withLimits(0, 0);
    }
    Section limit =
        new Section(request.path() + "." + FIELD, request.document(FIELD))
            .allow(Set.of(BYTES, DOCUMENTS, EVICT));
    if (limit.has(EVICT) && !limit.text(EVICT).equals("soonest")) {
      throw invalid("'" + FIELD + ".evict' must be 'soonest'");
    }
    long bytes = number(limit, BYTES);
    long documents = number(limit, DOCUMENTS);
    if (bytes == 0 && documents == 0) {
      throw invalid(
          "'" + FIELD + "' needs 'maxBytes' or 'maxDocuments'; \"off\" removes the limits");
    }
    return spec.withLimits(bytes, documents);
  }

  private static long number(Section limit, String field) {
    if (!limit.has(field)) {
      return 0;
    }
    long number = limit.number(field);
    if (number < 1) {
      throw CommandException.outOfBounds(FIELD + "." + field, ">= 1", number);
    }
    return number;
  }

  private static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_OPTIONS, message);
  }
}
