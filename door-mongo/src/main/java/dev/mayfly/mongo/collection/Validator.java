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

/**
 * Document validation of one collection, as MongoDB's {@code validator} option defines it.
 * Immutable.
 *
 * <p>Example: {@code found.validator().at(request.now()).checkInsert(document)} fails with
 * DocumentValidationFailure if the document does not satisfy the validator.
 */
public final class Validator {
  /** Variables whose value differs between operations. */
  private static final List<String> CLOCKS = List.of("$$NOW", "$$CLUSTER_TIME");

  private static final System.Logger LOG = System.getLogger(Validator.class.getName());

  private final Namespace namespace;
  private final Validation validation;
  private final Collation collation;
  private final Filter filter;
  private final boolean timed;

  /** The validator of a collection without a collation. */
  public Validator(Namespace namespace, Validation validation) {
    this(namespace, validation, Document.EMPTY);
  }

  /**
   * The validator of a collection.
   *
   * @param collation the default collation of the collection
   */
  public Validator(Namespace namespace, Validation validation, Document collation) {
    this(namespace, validation, CollationParser.parse(collation), 0);
  }

  private Validator(Namespace namespace, Validation validation, Collation collation, long now) {
    this.namespace = namespace;
    this.validation = validation;
    this.collation = collation;
    this.filter = Filters.parse(validation.validator(), collation, now);
    this.timed = CLOCKS.stream().anyMatch(validation.validator().toString()::contains);
  }

  /**
   * The same validator for one operation: {@code $$NOW} and {@code $$CLUSTER_TIME} have the value
   * of its instant.
   */
  public Validator at(long now) {
    return timed ? new Validator(namespace, validation, collation, now) : this;
  }

  /**
   * Returns the validation if a collection can have it.
   *
   * @throws CommandException if the validator is invalid, or not allowed because the collection is
   *     a system collection or in an internal database
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

  /** Whether all documents pass, so that checks can be omitted. */
  public boolean acceptsAll() {
    return validation.level() == Level.OFF || filter.equals(Filter.all());
  }

  /** Whether a document satisfies the validator. */
  public boolean passes(Document document) {
    return filter.matcher(Mode.MATCH).matches(document);
  }

  /**
   * Checks a document before it is inserted.
   *
   * @throws CommandException DOCUMENT_VALIDATION_FAILURE
   */
  public void checkInsert(Document document) {
    if (!acceptsAll() && !passes(document)) {
      reject(document);
    }
  }

  /**
   * Checks the result of an update. With level moderate, a document that was invalid before may
   * stay so.
   *
   * @throws CommandException DOCUMENT_VALIDATION_FAILURE
   */
  public void checkUpdate(Document before, Document after) {
    boolean exempt = validation.level() == Level.MODERATE && !acceptsAll() && !passes(before);
    if (!exempt) {
      checkInsert(after);
    }
  }

  private void reject(Document document) {
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
