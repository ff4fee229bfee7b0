package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.mongo.collection.Description;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;

/**
 * Parser of {@code mayflyOnExpire}: what happens to the expired documents of a collection. This
 * option is Mayfly's own.
 */
final class ExpiryAction {
  static final String FIELD = Description.ON_EXPIRE;

  private ExpiryAction() {}

  /**
   * Returns the spec with the action of the request; unchanged if the request has none.
   *
   * @throws CommandException if it is invalid
   */
  static CollectionSpec withAction(Section request, CollectionSpec spec) {
    if (!request.has(FIELD)) {
      return spec;
    }
    if (request.field(FIELD).type() == Type.STRING && request.text(FIELD).equals("off")) {
      return spec.withOnExpire(OnExpire.NOTHING);
    }
    Document form = request.document(FIELD);
    if (form.isEmpty()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "'" + FIELD + "' needs one of moveTo, files, post; \"off\" removes the action");
    }
    try {
      return spec.withOnExpire(OnExpire.of(form));
    } catch (IllegalArgumentException invalid) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "'" + FIELD + "': " + invalid.getMessage());
    }
  }
}
