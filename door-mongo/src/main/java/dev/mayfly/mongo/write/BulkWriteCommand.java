package dev.mayfly.mongo.write;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.mongo.cursor.Caller;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.cursor.OpenCursor;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code bulkWrite}: inserts, updates and deletes in several collections in one command. */
public final class BulkWriteCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of(
          "ops",
          "nsInfo",
          "ordered",
          "errorsOnly",
          "bypassDocumentValidation",
          Inserter.KEEP_EMPTY_TIMESTAMPS,
          "let",
          "cursor");

  /**
   * Fields of an operation, with their names in the statements of {@code update} and {@code
   * delete}.
   */
  private static final Map<String, String> STATEMENT_NAMES =
      Map.of("filter", "q", "updateMods", "u", "constants", "c");

  private final CollectionAccess access;
  private final Cursors cursors;
  private final Inserter inserter;
  private final UpdateStatements updateStatements;
  private final DeleteStatements deleteStatements;

  public BulkWriteCommand(CollectionAccess access, Cursors cursors, ObjectIds ids) {
    this.access = access;
    this.cursors = cursors;
    this.inserter = new Inserter(ids);
    this.updateStatements = new UpdateStatements(access, ids);
    this.deleteStatements = new DeleteStatements(access);
  }

  /** Counts and results of the operations executed so far. */
  private static final class Totals {
    private final List<Document> results = new ArrayList<>();
    private int errors;
    private int inserted;
    private int matched;
    private int modified;
    private int upserted;
    private int deleted;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    if (!request.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "bulkWrite may only be run against the admin database.");
    }
    List<Document> operations = request.documents("ops");
    BatchLimits.check(operations.size());
    List<Namespace> namespaces = namespaces(request);
    StatementForm.checkOperations(operations, namespaces.size());
    WriteConcern concern = WriteConcern.of(request, access.defaultDurability());
    boolean ordered = Statements.ordered(request);
    boolean errorsOnly = request.flag("errorsOnly", false);
    long batch = OpenCursor.firstBatch(request, Long.MAX_VALUE);
    List<Integer> statements = statements(request, operations.size());
    Totals totals = new Totals();
    for (int i = 0; i < operations.size() && (totals.errors == 0 || !ordered); i++) {
      int statement = statements.isEmpty() ? i : statements.get(i);
      execute(request, operations.get(i), i, statement, namespaces, concern, errorsOnly, totals);
      request.check();
    }
    if (totals.errors > 0) {
      access.abortTransaction(request);
    }
    cursors.begin(
        request,
        reply,
        new OpenCursor("admin.$cmd.bulkWrite", Rows.of(totals.results), new Caller(request)),
        batch,
        false);
    reply
        .put("nErrors", totals.errors)
        .put("nInserted", totals.inserted)
        .put("nMatched", totals.matched)
        .put("nModified", totals.modified)
        .put("nUpserted", totals.upserted)
        .put("nDeleted", totals.deleted);
    concern.report(reply);
  }

  /**
   * The statement ids of the operations, by which a retry finds what is done: those that another
   * server has sent with its part of a request. Empty if they are the indexes.
   */
  private static List<Integer> statements(Request request, int operations) {
    Value sent = request.field("stmtIds");
    if (!sent.isArray()) {
      return List.of();
    }
    List<Integer> statements = new ArrayList<>();
    Fields elements = sent.asDocument().fields();
    while (elements.next()) {
      Value id = elements.value();
      if (id.type() != Type.INT32 || id.asInt() < 0) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH, "bulkWrite.stmtIds must be an array of integers");
      }
      statements.add(id.asInt());
    }
    if (statements.size() != operations) {
      throw new CommandException(
          ErrorCode.INVALID_LENGTH, "bulkWrite.stmtIds must have one element for each operation");
    }
    return statements;
  }

  private static List<Namespace> namespaces(Request request) {
    List<Namespace> namespaces = new ArrayList<>();
    for (Document info : request.documents("nsInfo")) {
      Value ns = info.field("ns");
      int dot = ns.type() == Type.STRING ? ns.asString().indexOf('.') : -1;
      if (dot < 0) {
        throw new CommandException(
            ErrorCode.INVALID_NAMESPACE, "Invalid namespace specified for bulkWrite: " + ns);
      }
      namespaces.add(
          Names.namespace(ns.asString().substring(0, dot), ns.asString().substring(dot + 1)));
    }
    return namespaces;
  }

  private void execute(
      Request request,
      Document operation,
      int index,
      int statement,
      List<Namespace> namespaces,
      WriteConcern concern,
      boolean errorsOnly,
      Totals totals) {
    DocumentWriter result = Document.writer().put("ok", 1.0).put("idx", index);
    try {
      apply(request, operation, statement, namespaces, concern, totals, result);
      if (!errorsOnly) {
        totals.results.add(result.build());
      }
    } catch (RuntimeException failure) {
      totals.errors++;
      DocumentWriter failed = Document.writer().put("ok", 0.0).put("idx", index);
      WriteErrors.describe(WriteErrors.of(failure), failed);
      totals.results.add(failed.put("n", 0).build());
    }
  }

  private void apply(
      Request request,
      Document operation,
      int index,
      List<Namespace> namespaces,
      WriteConcern concern,
      Totals totals,
      DocumentWriter result) {
    Fields fields = operation.fields();
    fields.next();
    Namespace namespace = namespaces.get((int) fields.value().asDouble());
    switch (fields.name()) {
      case "insert" -> {
        insert(request, namespace, Statements.document(operation, "document"), index, concern);
        totals.inserted++;
        result.put("n", 1);
      }
      case "update" -> {
        Updater.Result updated =
            updateStatements.execute(
                request, namespace, statement(operation, false), index, concern);
        boolean inserted = !updated.upserted().isMissing();
        totals.matched += (int) updated.matched();
        totals.modified += (int) updated.modified();
        totals.upserted += inserted ? 1 : 0;
        result.put("n", inserted ? 1 : (int) updated.matched());
        result.put("nModified", (int) updated.modified());
        if (inserted) {
          result.startDocument("upserted").put("_id", updated.upserted()).end();
        }
      }
      case "delete" -> {
        long deleted =
            deleteStatements.execute(
                request, namespace, statement(operation, true), index, concern);
        totals.deleted += (int) deleted;
        result.put("n", (int) deleted);
      }
      default -> throw new IllegalStateException("unchecked operation: " + fields.name());
    }
  }

  private void insert(
      Request request, Namespace namespace, Document document, int index, WriteConcern concern) {
    CollectionOperations target = access.created(request, namespace, concern.durability());
    WriteErrors errors = new WriteErrors();
    inserter.insertOne(request, target, document, index, errors);
    errors.rethrow();
  }

  private static Document statement(Document operation, boolean delete) {
    DocumentWriter statement = Document.writer();
    Fields fields = operation.fields();
    fields.next();
    while (fields.next()) {
      String name = fields.name();
      if (delete && name.equals("multi")) {
        continue;
      }
      statement.put(STATEMENT_NAMES.getOrDefault(name, name), fields.value());
    }
    if (delete) {
      statement.put("limit", Statements.flag(operation, "multi") ? 0 : 1);
    }
    return statement.build();
  }
}
