package dev.mayfly.mongo.collection;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Validation.Action;
import dev.mayfly.mongo.collection.Validation.Level;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.language.CollationParser;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.value.Document;

/** Asks documents whether a collection takes them. Safe for many threads. */
public final class Validator {
  private static final System.Logger LOG = System.getLogger(Validator.class.getName());

  private final Namespace namespace;
  private final Validation validation;
  private final Filter filter;

  /** The validator of a collection. */
  public Validator(Namespace namespace, Validation validation) {
    this(namespace, validation, Document.EMPTY);
  }

  /** The validator of a collection whose texts compare as a collation says. */
  public Validator(Namespace namespace, Validation validation, Document collation) {
    this.namespace = namespace;
    this.validation = validation;
    this.filter = Filters.parse(validation.validator(), CollationParser.parse(collation));
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
    return filter.matcher(Mode.MATCH).matches(document);
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
                .put("details", Violation.of(validation.validator(), document))
                .end()
                .build());
  }
}
