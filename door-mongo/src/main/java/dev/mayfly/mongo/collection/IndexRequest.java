package dev.mayfly.mongo.collection;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * An index that a client asks for.
 *
 * @param raw the description as it was sent
 * @param form what it means; a time to live that cannot be counts as the longest one here, and is
 *     refused only when nothing else is wrong
 */
public record IndexRequest(Document raw, IndexForm form) {
  private static final int MAX_SECONDS = Integer.MAX_VALUE;

  /**
   * Reads a description.
   *
   * @param collation that of the collection, for those who ask for none
   * @throws CommandException when it means nothing
   */
  public static IndexRequest of(Document raw, Document collation) {
    IndexRules.check(raw);
    DocumentWriter form = Document.writer().put(IndexForm.V, version(raw));
    for (String field : List.of(IndexForm.KEY, IndexForm.NAME, IndexForm.PARTIAL)) {
      form.put(field, raw.field(field));
    }
    for (String flag : List.of(IndexForm.UNIQUE, IndexForm.HIDDEN, IndexForm.PREPARE_UNIQUE)) {
      form.put(flag, IndexRules.truth(raw.field(flag)) ? Value.TRUE : Value.MISSING);
    }
    for (String flag : List.of("background", IndexForm.SPARSE)) {
      // MongoDB lists these even when they were said to be false
      Value said = raw.field(flag);
      form.put(flag, said.isMissing() ? said : Value.of(IndexRules.truth(said)));
    }
    for (String field : List.of(IndexForm.PROJECTION, "2dsphereIndexVersion")) {
      form.put(field, raw.field(field));
    }
    Value bits = raw.field("bits");
    form.put("bits", bits.isNumber() ? Value.of((int) bits.asDouble()) : bits);
    for (String field : List.of("min", "max")) {
      form.put(field, raw.field(field));
    }
    Value seconds = raw.field(IndexForm.EXPIRES);
    form.put(IndexForm.EXPIRES, seconds.isMissing() ? Value.MISSING : workingSeconds(seconds));
    form.put(IndexForm.COLLATION, collation(raw, collation));
    IndexForm read = withVersion(IndexForm.of(form.build()));
    if (read.isId()) {
      checkCollationOfId(raw, collation);
    }
    return new IndexRequest(raw, forGood(seconds, read) ? read.expiringAfter(-1) : read);
  }

  private static void checkCollationOfId(Document raw, Document collation) {
    Value asked = raw.field(IndexForm.COLLATION);
    Document complete = asked.isMissing() ? collation : Collations.complete(asked.asDocument());
    if (!complete.equals(collation)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The _id index must have the same collation as the collection. Index collation: "
              + ShellText.of(complete)
              + ", collection collation: "
              + ShellText.of(collation));
    }
  }

  /** Whether documents are to live for good after their last write unless they say otherwise. */
  private static boolean forGood(Value seconds, IndexForm form) {
    return Indexes.isLastWrite(form) && seconds.isNumber() && seconds.asDouble() == -1;
  }

  private static int version(Document raw) {
    Value version = raw.field("v");
    return version.isMissing() ? 2 : (int) version.asDouble();
  }

  private static IndexForm withVersion(IndexForm form) {
    boolean told = !form.description().field("2dsphereIndexVersion").isMissing();
    return form.kind() == IndexKind.SPHERE && !told
        ? form.with("2dsphereIndexVersion", Value.of(3))
        : form;
  }

  private static Value collation(Document raw, Document standard) {
    Value asked = raw.field(IndexForm.COLLATION);
    Document effective = asked.isMissing() ? standard : Collations.complete(asked.asDocument());
    return effective.isEmpty() ? Value.MISSING : Value.of(effective);
  }

  /** A time to live as the comparison with other indexes sees it. */
  private static Value workingSeconds(Value seconds) {
    boolean fits = seconds.isNumber() && !seconds.isNaN() && inRange(seconds.asDouble());
    return Value.of(fits && (int) seconds.asDouble() >= 0 ? (int) seconds.asDouble() : MAX_SECONDS);
  }

  private static boolean inRange(double seconds) {
    return seconds > -2147483649.0 && seconds < 2147483648.0;
  }

  /** Checks what the index may say of itself, once it is clear that it is new. */
  public void checkNew() {
    IndexRules.checkNew(raw, form);
  }

  /**
   * Checks the time to live as it was sent.
   *
   * @throws CommandException CANNOT_CREATE_INDEX
   */
  public void checkExpiry() {
    Value seconds = raw.field(IndexForm.EXPIRES);
    if (seconds.isMissing()) {
      return;
    }
    boolean lastWrite = Indexes.isLastWrite(form);
    if (!seconds.isNumber()) {
      // MongoDB leaves the quotation open
      throw refused(
          "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '"
              + TypeNames.of(seconds.type()));
    }
    if (seconds.isNaN()) {
      throw refused("TTL index 'expireAfterSeconds' option must not be NaN");
    }
    if (!inRange(seconds.asDouble())) {
      throw refused("TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer");
    }
    int whole = (int) seconds.asDouble();
    if (whole < 0 && !(lastWrite && whole == -1)) {
      throw refused("TTL index 'expireAfterSeconds' option cannot be less than 0");
    }
    if (!form.single()) {
      throw new CommandException(
          ErrorCode.CANNOT_CREATE_INDEX,
          "TTL indexes are single-field indexes, compound indexes do not support TTL. Index spec: "
              + ShellText.of(raw));
    }
    if (lastWrite) {
      checkLastWrite(whole);
    }
  }

  /** The time since the last write is a rule for all documents, and no life lasts no time. */
  private void checkLastWrite(int seconds) {
    if (seconds == 0) {
      throw refused(
          "'expireAfterSeconds' of a TTL index on '_ts' must be -1 or between 1 and 2147483647");
    }
    if (form.unique() || !form.partial().isEmpty()) {
      throw refused("a TTL index on '_ts' can be neither unique nor partial");
    }
  }

  /** The form to be created: with the seconds that {@link #checkExpiry} found fit. */
  public IndexForm created() {
    Value seconds = raw.field(IndexForm.EXPIRES);
    return seconds.isMissing() ? form : form.expiringAfter((int) seconds.asDouble());
  }

  private CommandException refused(String why) {
    return new CommandException(
        ErrorCode.CANNOT_CREATE_INDEX,
        ". Index spec: " + ShellText.of(raw) + " :: caused by :: " + why);
  }
}
