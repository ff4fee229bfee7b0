package dev.mayfly.mongo.collection;

import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Index specification of a {@code createIndexes} command.
 *
 * @param raw the specification as the client sent it
 * @param form the description of the index; an invalid {@code expireAfterSeconds} is replaced by
 *     the maximum here, and {@link #checkExpiry} rejects it later, after the other checks
 */
public record IndexRequest(Document raw, IndexForm form) {
  private static final int MAX_SECONDS = Integer.MAX_VALUE;

  /**
   * Parses a specification.
   *
   * @param collation the default collation of the collection, for indexes without a collation
   * @throws CommandException if the specification is invalid
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
      // MongoDB lists these even if they are false
      Value value = raw.field(flag);
      form.put(flag, value.isMissing() ? value : Value.of(IndexRules.truth(value)));
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
    form.put(IndexForm.FORMAT, format(raw.field(IndexForm.FORMAT)));
    form.put(
        IndexForm.SLIDING, SlidingOption.listed(SlidingOption.of(raw.field(IndexForm.SLIDING))));
    IndexForm read = withVersion(IndexForm.of(form.build()));
    if (read.isId()) {
      checkCollationOfId(raw, collation);
    }
    return new IndexRequest(
        raw, expiresByOwnTtlOnly(seconds, read) ? read.expiringAfter(-1) : read);
  }

  /** The format of MongoDB is not listed. */
  private static Value format(Value requested) {
    boolean standard = requested.isMissing() || requested.asString().equals(TimeFormat.DATE.code());
    return standard ? Value.MISSING : requested;
  }

  private static void checkCollationOfId(Document raw, Document collation) {
    Value requested = raw.field(IndexForm.COLLATION);
    Document complete =
        requested.isMissing() ? collation : Collations.complete(requested.asDocument());
    if (!complete.equals(collation)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The _id index must have the same collation as the collection. Index collation: "
              + ShellText.of(complete)
              + ", collection collation: "
              + ShellText.of(collation));
    }
  }

  /**
   * Whether this is a TTL index on {@code _ts} with -1: only documents with their own {@code ttl}
   * expire.
   */
  private static boolean expiresByOwnTtlOnly(Value seconds, IndexForm form) {
    return Indexes.isLastWrite(form) && seconds.isNumber() && seconds.asDouble() == -1;
  }

  private static int version(Document raw) {
    Value version = raw.field("v");
    return version.isMissing() ? 2 : (int) version.asDouble();
  }

  private static IndexForm withVersion(IndexForm form) {
    boolean present = !form.description().field("2dsphereIndexVersion").isMissing();
    return form.kind() == IndexKind.SPHERE && !present
        ? form.with("2dsphereIndexVersion", Value.of(3))
        : form;
  }

  private static Value collation(Document raw, Document standard) {
    Value requested = raw.field(IndexForm.COLLATION);
    Document effective =
        requested.isMissing() ? standard : Collations.complete(requested.asDocument());
    return effective.isEmpty() ? Value.MISSING : Value.of(effective);
  }

  /**
   * Returns the TTL for the comparison with other indexes: whole seconds, or the maximum if it is
   * invalid.
   */
  private static Value workingSeconds(Value seconds) {
    boolean fits = seconds.isNumber() && !seconds.isNaN() && inRange(seconds.asDouble());
    return Value.of(fits && (int) seconds.asDouble() >= 0 ? (int) seconds.asDouble() : MAX_SECONDS);
  }

  private static boolean inRange(double seconds) {
    return seconds > -2147483649.0 && seconds < 2147483648.0;
  }

  /** Checks the options of an index that does not exist yet. */
  public void checkNew() {
    IndexRules.checkNew(raw, form);
  }

  /**
   * Checks {@code expireAfterSeconds} as the client sent it.
   *
   * @throws CommandException CANNOT_CREATE_INDEX
   */
  public void checkExpiry() {
    Value seconds = raw.field(IndexForm.EXPIRES);
    if (seconds.isMissing()) {
      if (!raw.field(IndexForm.FORMAT).isMissing()) {
        throw cannotCreate("'mayflyTtlFormat' needs 'expireAfterSeconds'");
      }
      if (form.sliding().isPresent()) {
        throw cannotCreate("'mayflySliding' needs 'expireAfterSeconds'");
      }
      return;
    }
    boolean lastWrite = Indexes.isLastWrite(form);
    if (!seconds.isNumber()) {
      // MongoDB leaves the quotation open
      throw cannotCreate(
          "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '"
              + TypeNames.of(seconds.type()));
    }
    if (seconds.isNaN()) {
      throw cannotCreate("TTL index 'expireAfterSeconds' option must not be NaN");
    }
    if (!inRange(seconds.asDouble())) {
      throw cannotCreate(
          "TTL index 'expireAfterSeconds' must be within the range of a 32-bit integer");
    }
    int whole = (int) seconds.asDouble();
    if (whole < 0 && !(lastWrite && whole == -1)) {
      throw cannotCreate("TTL index 'expireAfterSeconds' option cannot be less than 0");
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
    if (form.sliding().isPresent() && (whole == 0 || form.kind().isPlugin())) {
      throw cannotCreate("'mayflySliding' needs a TTL of at least a second on a plain field");
    }
    if (form.ttlFormat() != TimeFormat.DATE && form.kind().isPlugin()) {
      throw cannotCreate("an index of this type expires nothing, so it has no 'mayflyTtlFormat'");
    }
  }

  /**
   * A TTL index on {@code _ts} is the default TTL of the whole collection, which cannot be 0 or
   * partial.
   */
  private void checkLastWrite(int seconds) {
    if (seconds == 0) {
      throw cannotCreate(
          "'expireAfterSeconds' of a TTL index on '_ts' must be -1 or between 1 and 2147483647");
    }
    if (form.unique() || !form.partial().isEmpty()) {
      throw cannotCreate("a TTL index on '_ts' can be neither unique nor partial");
    }
    if (form.ttlFormat() != TimeFormat.DATE) {
      throw cannotCreate("a TTL index on '_ts' has no 'mayflyTtlFormat'");
    }
  }

  /** Returns the description to create, with the TTL that {@link #checkExpiry} has accepted. */
  public IndexForm created() {
    Value seconds = raw.field(IndexForm.EXPIRES);
    return seconds.isMissing() ? form : form.expiringAfter((int) seconds.asDouble());
  }

  private CommandException cannotCreate(String reason) {
    return new CommandException(
        ErrorCode.CANNOT_CREATE_INDEX,
        ". Index spec: " + ShellText.of(raw) + " :: caused by :: " + reason);
  }
}
