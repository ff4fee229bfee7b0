package dev.mayfly.mongo.collection;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Validation.Action;
import dev.mayfly.mongo.collection.Validation.Level;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.CollationParser;
import dev.mayfly.mql.parser.GeoSyntax;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.function.LongSupplier;

/** Asks documents whether a collection takes them. Safe for many threads. */
public final class Validator {
  /** Variables that have another value with every operation. */
  private static final List<String> CLOCKS = List.of("$$NOW", "$$CLUSTER_TIME");

  private static final System.Logger LOG = System.getLogger(Validator.class.getName());

  private final Namespace namespace;
  private final Validation validation;
  private final Collation collation;
  private final LongSupplier clock;
  private final Filter filter;
  private final boolean timed;

  /** The validator of a collection. */
  public Validator(Namespace namespace, Validation validation) {
    this(namespace, validation, Document.EMPTY, () -> 0);
  }

  /**
   * The validator of a collection.
   *
   * @param collation how its texts compare
   * @param clock the time that a rule may ask for
   */
  public Validator(
      Namespace namespace, Validation validation, Document collation, LongSupplier clock) {
    this.namespace = namespace;
    this.validation = validation;
    this.collation = CollationParser.parse(collation);
    this.clock = clock;
    this.filter = Filters.parse(validation.validator(), this.collation);
    this.timed = CLOCKS.stream().anyMatch(validation.validator().toString()::contains);
  }

  /**
   * A validation that a collection can have.
   *
   * @throws CommandException when it means nothing, or for a collection of the server's own
   */
  public static Validation checked(Namespace namespace, Validation validation) {
    if (!validation.validator().isEmpty()) {
      checkAllowed(namespace);
    }
    Validator validator = new Validator(namespace, validation);
    GeoSyntax.refuseNearness(validator.filter);
    return validator.validation();
  }

  private static void checkAllowed(Namespace namespace) {
    if (namespace.collection().startsWith("system.")) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Document validators not allowed on system collection " + namespace);
    }
    if (Names.isInternal(namespace.database())) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Document validators are not allowed on collection "
              + namespace
              + " in the "
              + namespace.database()
              + " internal database");
    }
  }

  public Validation validation() {
    return validation;
  }

  /** Whether all documents pass, so that nobody need ask. */
  public boolean idle() {
    return validation.level() == Level.OFF || filter.equals(Filter.all());
  }

  /** Whether a document is as the collection wants it. */
  public boolean passes(Document document) {
    Filter asked =
        timed ? Filters.parse(validation.validator(), collation, clock.getAsLong()) : filter;
    return asked.matcher(Mode.MATCH).matches(document);
  }

  /**
   * Checks a document that is to be inserted.
   *
   * @throws CommandException DOCUMENT_VALIDATION_FAILURE
   */
  public void checkInsert(Document document) {
    if (!idle() && !passes(document)) {
      refuse(document);
    }
  }

  /**
   * Checks what an update makes of a document.
   *
   * @throws CommandException DOCUMENT_VALIDATION_FAILURE
   */
  public void checkUpdate(Document before, Document after) {
    boolean excused = validation.level() == Level.MODERATE && !idle() && !passes(before);
    if (!excused) {
      checkInsert(after);
    }
  }

  private void refuse(Document document) {
    if (validation.action() == Action.WARN) {
      LOG.log(
          System.Logger.Level.WARNING,
          "a document of {0} would fail validation: _id {1}",
          namespace,
          document.field("_id"));
      return;
    }
    throw new CommandException(ErrorCode.DOCUMENT_VALIDATION_FAILURE, "Document failed validation")
        .with(
            Document.writer()
                .startDocument("errInfo")
                .put("failingDocumentId", document.field("_id"))
                .put("details", Violation.of(validation.validator(), collation, document))
                .end()
                .build());
  }
}
