package dev.mayfly.mongo.write;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Write;
import dev.mayfly.mongo.access.Hints;
import dev.mayfly.mongo.access.RequestCollation;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.session.Transactions;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.FilterParser;
import dev.mayfly.mql.parser.SortParser;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.parser.update.UpdateParser;
import dev.mayfly.mql.update.Update;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parses the parts that statements of write commands have in common. */
final class Statements {
  private static final Set<String> LOGIC = Set.of("$and", "$or", "$nor");

  private Statements() {}

  /**
   * Whether a command stops at the first statement that fails: the default, and always so in a
   * transaction, because the failure aborts it.
   */
  static boolean ordered(Request request) {
    return request.flag("ordered", true) || Transactions.includes(request);
  }

  /** The query that selects the documents of a statement. */
  static Query query(
      Document filter,
      Document sort,
      Value hint,
      Document collation,
      CollectionSpec spec,
      Variables variables) {
    Collation order = RequestCollation.of(collation, spec);
    return Query.of(FilterParser.parse(filter, variables, order), Mode.MATCH)
        .orderedBy(SortParser.parse(sort, order).toArray(Sort[]::new))
        .withHint(Hints.of(hint, spec));
  }

  /**
   * Fails if the filter of an upsert contains {@code $expr}: it does not determine the fields of a
   * new document.
   */
  static void rejectExpressions(Document filter) {
    Fields fields = filter.fields();
    while (fields.next()) {
      if (fields.named("$expr")) {
        throw new CommandException(
            new ErrorCode(224, "QueryFeatureNotAllowed"),
            "$expr is not allowed in the query predicate for an upsert");
      }
      if (fields.type() == Type.ARRAY && LOGIC.contains(fields.name())) {
        Fields members = fields.value().asDocument().fields();
        while (members.next()) {
          if (members.type() == Type.OBJECT) {
            rejectExpressions(members.value().asDocument());
          }
        }
      }
    }
  }

  /** The version that the document of a statement must have, or {@link Write#ANY_VERSION}. */
  static long version(Document statement) {
    Value version = statement.field(StatementForm.IF_VERSION);
    if (version.isMissing()) {
      return Write.ANY_VERSION;
    }
    if (version.type() != Type.INT32 && version.type() != Type.INT64) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, StatementForm.IF_VERSION + " must be an integer");
    }
    return version.asLong();
  }

  /** The failure of a statement whose document has another version. */
  static CommandException otherVersion() {
    return new CommandException(
        StatementForm.OTHER_VERSION, "the document has changed: it has another version");
  }

  /** Parses the update of a statement. */
  static Update update(Value syntax, Value arrayFilters, Variables variables, Collation collation) {
    return UpdateParser.parse(
        syntax, documents("arrayFilters", arrayFilters), variables, collation);
  }

  private static List<Document> documents(String name, Value array) {
    if (array.isMissing() || array.isNull()) {
      return List.of();
    }
    if (!array.isArray()) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, name + " must be an array");
    }
    List<Document> documents = new ArrayList<>();
    Fields elements = array.asDocument().fields();
    while (elements.next()) {
      if (elements.type() != Type.OBJECT) {
        throw new CommandException(ErrorCode.TYPE_MISMATCH, name + " must be an array of objects");
      }
      documents.add(elements.value().asDocument());
    }
    return documents;
  }

  /** An object field of a statement; empty if it is absent. */
  static Document document(Document statement, String name) {
    Value value = statement.field(name);
    if (value.isMissing() || value.isNull()) {
      return Document.EMPTY;
    }
    if (value.type() != Type.OBJECT) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, name + " must be an object");
    }
    return value.asDocument();
  }

  static boolean flag(Document statement, String name) {
    Value value = statement.field(name);
    if (value.isNumber()) {
      return value.asDouble() != 0;
    }
    return value.type() == Type.BOOLEAN && value.asBoolean();
  }
}
