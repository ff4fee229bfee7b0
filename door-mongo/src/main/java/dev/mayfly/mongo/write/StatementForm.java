package dev.mayfly.mongo.write;

import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/**
 * Checks the syntax of all statements of a command before the first one is executed: a malformed
 * statement fails the whole command.
 */
final class StatementForm {
  /**
   * Extension of Mayfly: the version that the document must have. A statement with it names one
   * document by its id, and fails with {@link #OTHER_VERSION} if the document has changed.
   */
  static final String IF_VERSION = "mayflyVersion";

  static final ErrorCode OTHER_VERSION = new ErrorCode(90_412, "MayflyVersionMismatch");

  private static final Set<String> UPDATE =
      Set.of(
          "q",
          "u",
          "c",
          "multi",
          "upsert",
          "arrayFilters",
          "hint",
          "collation",
          "sort",
          "sampleId",
          "upsertSupplied",
          IF_VERSION);
  private static final Set<String> DELETE =
      Set.of("q", "limit", "hint", "collation", "sampleId", IF_VERSION);
  private static final Set<String> BULK_INSERT = Set.of("insert", "document");
  private static final Set<String> BULK_UPDATE =
      Set.of(
          "update",
          "filter",
          "updateMods",
          "constants",
          "multi",
          "upsert",
          "arrayFilters",
          "hint",
          "collation",
          "sort",
          "upsertSupplied");
  private static final Set<String> BULK_DELETE =
      Set.of("delete", "filter", "multi", "hint", "collation");

  private StatementForm() {}

  /** Checks the statements of {@code update}. */
  static void checkUpdates(List<Document> statements) {
    for (Document statement : statements) {
      checkUpdate(new Section("update.updates", statement).allow(UPDATE), "q", "u");
    }
  }

  private static void checkUpdate(Section statement, String filter, String change) {
    require(statement, filter);
    Type type = statement.required(change).type();
    if (type != Type.OBJECT && type != Type.ARRAY) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Update argument must be either an object or an array");
    }
    statement.flag("upsert");
    if (statement.flag("multi") && statement.has("sort")) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, "Cannot specify sort with multi=true");
    }
  }

  /** Checks the statements of {@code delete}. */
  static void checkDeletes(List<Document> statements) {
    for (Document statement : statements) {
      Section section = new Section("delete.deletes", statement).allow(DELETE);
      require(section, "q");
      Value limit = section.required("limit");
      if (!limit.isNumber() || (limit.asDouble() != 0 && limit.asDouble() != 1)) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE,
            "The limit field in delete objects must be 0 or 1. Got " + limit);
      }
    }
  }

  /**
   * Checks the operations of {@code bulkWrite}.
   *
   * @param collections the number of entries in {@code nsInfo}
   */
  static void checkOperations(List<Document> operations, int collections) {
    for (Document operation : operations) {
      Fields fields = operation.fields();
      String kind = fields.next() ? fields.name() : "";
      Section section = new Section("bulkWrite.ops", operation);
      switch (kind) {
        case "insert" -> require(section.allow(BULK_INSERT), "document");
        case "update" -> checkUpdate(section.allow(BULK_UPDATE), "filter", "updateMods");
        case "delete" -> {
          require(section.allow(BULK_DELETE), "filter");
          section.flag("multi");
        }
        default ->
            throw new CommandException(
                ErrorCode.FAILED_TO_PARSE, "unknown operation of bulkWrite: " + kind);
      }
      long place = section.number(kind);
      if (place < 0 || place >= collections) {
        throw new CommandException(
            ErrorCode.BAD_VALUE, "BulkWrite ops entry has an invalid nsInfo index.");
      }
    }
  }

  private static void require(Section statement, String name) {
    statement.required(name);
    statement.document(name);
  }
}
