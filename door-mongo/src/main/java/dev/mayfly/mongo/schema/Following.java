package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.ExpiresWith;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.mongo.collection.Description;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Type;
import java.util.Optional;
import java.util.Set;

/**
 * Parser of {@code mayflyExpiresWith}: the collection whose documents the documents of a collection
 * follow. This option is Mayfly's own.
 */
final class Following {
  static final String FIELD = Description.EXPIRES_WITH;

  private static final String COLLECTION = "collection";
  private static final String PATH = "field";
  private static final String DELETED = "deleted";

  private Following() {}

  /**
   * Returns the spec with the parents of the request; unchanged if the request has none.
   *
   * @throws CommandException if they are invalid
   */
  static CollectionSpec withParents(Section request, CollectionSpec spec) {
    if (!request.has(FIELD)) {
      return spec;
    }
    if (request.field(FIELD).type() == Type.STRING && request.text(FIELD).equals("off")) {
      return spec.withExpiresWith(Optional.empty());
    }
    Section with =
        new Section(request.path() + "." + FIELD, request.document(FIELD))
            .allow(Set.of(COLLECTION, PATH, DELETED));
    return spec.withExpiresWith(
        name(with, COLLECTION), name(with, PATH), with.has(DELETED) && with.flag(DELETED));
  }

  /** Adds the index that finds the documents of a parent, for a collection that is created. */
  static CollectionSpec withParentIndex(CollectionSpec spec) {
    return spec.expiresWith()
        .map(ExpiresWith::field)
        .map(field -> spec.withIndex(IndexSpec.implicit(field + "_1", Part.ascending(field))))
        .orElse(spec);
  }

  private static String name(Section with, String field) {
    String name = with.has(field) ? with.text(field) : "";
    if (name.isEmpty()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "'" + FIELD + "' needs 'collection' and 'field'; \"off\" removes it");
    }
    return name;
  }
}
