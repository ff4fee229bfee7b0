package dev.mayfly.mongo.change;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.mongo.change.ChangeOptions.Image;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.update.UpdateDescription;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Builds change events with the full document and pre-image that the stream requests. Safe for many
 * threads.
 */
final class ChangeImages {
  private static final ErrorCode NO_MATCHING_DOCUMENT = new ErrorCode(47, "NoMatchingDocument");

  private final ChangeOptions options;

  ChangeImages(ChangeOptions options) {
    this.options = options;
  }

  /**
   * The event of a change.
   *
   * @param namespace the name of the collection at the time of the change
   */
  Document event(Collection collection, Namespace namespace, Change change) {
    Document description =
        change.kind() == Kind.UPDATE && (change.differences() || !change.before().isEmpty())
            ? UpdateDescription.between(
                    change.before(), change.after(), UpdateNote.setWhole(change.note()))
                .toDocument(options.expanded())
            : Document.EMPTY;
    return Event.of(
        change,
        options.expanded() ? Event.uuid(collection.uuid()) : Value.MISSING,
        namespace,
        after(collection, change),
        before(change),
        description);
  }

  private Value after(Collection collection, Change change) {
    return switch (change.kind()) {
      case INSERT, REPLACE -> Value.of(change.after());
      case UPDATE -> updated(collection, change);
      case DELETE, EXPIRE -> Value.MISSING;
    };
  }

  private Value updated(Collection collection, Change change) {
    return switch (options.after()) {
      case NONE -> Value.MISSING;
      case LOOKUP ->
          collection
              .read(change.key())
              .map(StoredDocument::document)
              .map(Value::of)
              .orElse(Value.NULL);
      case WHEN_AVAILABLE -> available(change, change.after());
      case REQUIRED -> required(available(change, change.after()), "post-image");
    };
  }

  private Value before(Change change) {
    if (options.before() == Image.NONE || change.kind() == Kind.INSERT) {
      return Value.MISSING;
    }
    Value image = available(change, change.before());
    return options.before() == Image.REQUIRED ? required(image, "pre-image") : image;
  }

  /** An image of a change; null if the feed does not contain it as a whole. */
  private static Value available(Change change, Document image) {
    return change.differences() || image.isEmpty() ? Value.NULL : Value.of(image);
  }

  private static Value required(Value image, String which) {
    if (image.isNull()) {
      throw new CommandException(
              NO_MATCHING_DOCUMENT,
              "Change stream was configured to require a "
                  + which
                  + " for all update, delete and replace events, but the "
                  + which
                  + " was not found for an event")
          .labelled(List.of("NonResumableChangeStreamError"));
    }
    return image;
  }
}
