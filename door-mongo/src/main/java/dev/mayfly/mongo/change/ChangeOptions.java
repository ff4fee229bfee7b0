package dev.mayfly.mongo.change;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Options of a {@code $changeStream} stage.
 *
 * @param after {@code fullDocument}
 * @param before {@code fullDocumentBeforeChange}
 * @param resume the token of {@code resumeAfter} or {@code startAfter}
 * @param startAt {@code startAtOperationTime}; missing to start now
 * @param cluster {@code allChangesForCluster}
 * @param expanded {@code showExpandedEvents}
 */
record ChangeOptions(
    Image after,
    Image before,
    Optional<ResumeToken> resume,
    Value startAt,
    boolean cluster,
    boolean expanded) {

  /** The document that an event contains. */
  enum Image {
    NONE,
    /** The document at the time when the event is read. */
    LOOKUP,
    /** The document before or after the change, if the feed contains it. */
    WHEN_AVAILABLE,
    /** The same; an error if the feed does not contain it. */
    REQUIRED
  }

  static ChangeOptions of(Document syntax) {
    Image after = Image.NONE;
    Image before = Image.NONE;
    Optional<ResumeToken> resume = Optional.empty();
    Value startAt = Value.MISSING;
    boolean cluster = false;
    boolean expanded = false;
    int starts = 0;
    Fields fields = syntax.fields();
    while (fields.next()) {
      Value value = fields.value();
      if (value.isNull()) {
        continue;
      }
      switch (fields.name()) {
        case "fullDocument" -> after = image("fullDocument", value);
        case "fullDocumentBeforeChange" -> before = image("fullDocumentBeforeChange", value);
        case "resumeAfter" -> {
          resume = Optional.of(resumable(token("resumeAfter", value)));
          starts++;
        }
        case "startAfter" -> {
          resume = Optional.of(token("startAfter", value));
          starts++;
        }
        case "startAtOperationTime" -> {
          startAt = timestamp(value);
          starts++;
        }
        case "allChangesForCluster" -> cluster = value.asBoolean();
        case "showExpandedEvents" -> expanded = value.asBoolean();
        case "showMigrationEvents", "showSystemEvents", "showRawUpdateDescription" -> {}
        default ->
            throw new CommandException(
                ErrorCode.UNKNOWN_FIELD,
                "BSON field '$changeStream." + fields.name() + "' is an unknown field.");
      }
    }
    if (starts > 1) {
      throw new CommandException(
          ErrorCode.location(40674),
          "Only one type of resume option is allowed, but multiple were found.");
    }
    return new ChangeOptions(after, before, resume, startAt, cluster, expanded);
  }

  private static Image image(String option, Value value) {
    String name = value.type() == Type.STRING ? value.asString() : "";
    boolean ofUpdate = option.equals("fullDocument");
    if (name.equals(ofUpdate ? "default" : "off")) {
      return Image.NONE;
    }
    if (ofUpdate && name.equals("updateLookup")) {
      return Image.LOOKUP;
    }
    return switch (name) {
      case "whenAvailable" -> Image.WHEN_AVAILABLE;
      case "required" -> Image.REQUIRED;
      default ->
          throw new CommandException(
              ErrorCode.BAD_VALUE,
              "Enumeration value '"
                  + name
                  + "' for field '$changeStream."
                  + option
                  + "' is not a valid value.");
    };
  }

  private static ResumeToken token(String option, Value value) {
    if (!value.isDocument()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '$changeStream." + option + "' is the wrong type, expected type 'object'");
    }
    return ResumeToken.of(value.asDocument());
  }

  private static ResumeToken resumable(ResumeToken token) {
    if (token.kind() == ResumeToken.Kind.INVALIDATE) {
      throw new CommandException(
          ErrorCode.INVALID_RESUME_TOKEN,
          "Attempting to resume a change stream using 'resumeAfter' is not allowed from an"
              + " invalidate notification.");
    }
    return token;
  }

  private static Value timestamp(Value value) {
    if (value.type() != Type.TIMESTAMP) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "BSON field '$changeStream.startAtOperationTime' is the wrong type, expected type"
              + " 'timestamp'");
    }
    return value;
  }
}
