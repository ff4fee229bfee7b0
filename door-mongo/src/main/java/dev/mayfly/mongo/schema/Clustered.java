package dev.mayfly.mongo.schema;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Set;

/** Parser of the option {@code clusteredIndex}. */
final class Clustered {
  private static final String FIELD = "clusteredIndex";

  private Clustered() {}

  /** Whether the request has the option; {@code false} counts as absent. */
  static boolean isRequested(Request request) {
    return request.has(FIELD) && !request.field(FIELD).equals(Value.FALSE);
  }

  /** Returns the index as it is listed; empty if the request has no such option. */
  static Document of(Request request) {
    if (!isRequested(request)) {
      return Document.EMPTY;
    }
    if (request.field(FIELD).type() == Type.BOOLEAN) {
      throw new CommandException(
          ErrorCode.location(5979703),
          "The 'clusteredIndex' legacy format {clusteredIndex: <bool>} is only supported for"
              + " specific internal collections and config collections");
    }
    Section section =
        new Section(request.name() + "." + FIELD, request.document(FIELD))
            .allow(Set.of("v", "key", "name", "unique"));
    section.required("key");
    section.required("unique");
    checkKey(section.document("key"));
    if (!section.flag("unique")) {
      throw new CommandException(
          ErrorCode.location(5979700),
          "The clusteredIndex option requires unique: true to be specified");
    }
    return Document.writer()
        .put("v", 2)
        .put("key", Document.writer().put("_id", 1).build())
        .put("name", section.has("name") ? section.text("name") : "_id_")
        .put("unique", true)
        .build();
  }

  private static void checkKey(Document key) {
    Fields fields = key.fields();
    boolean id =
        fields.next()
            && fields.named("_id")
            && fields.value().isNumber()
            && fields.value().asDouble() == 1
            && !fields.next();
    if (!id) {
      throw new CommandException(
          ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION,
          "The clusteredIndex option is only supported for key: {_id: 1}");
    }
  }
}
