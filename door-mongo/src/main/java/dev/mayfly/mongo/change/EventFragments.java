package dev.mayfly.mongo.change;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Splits an event above the document size limit into fragments. Each fragment contains whole
 * fields, the smallest fields first.
 */
final class EventFragments {
  /** The maximum size of an event: that of a document, and 8 KiB for its other fields. */
  static final int MAX_BYTES = (16 << 20) + (8 << 10);

  /** Bytes for the token and fragment number of each fragment. */
  private static final int OVERHEAD = 256;

  private EventFragments() {}

  private record Field(String name, Value value) {
    int bytes() {
      return name.length() * 3 + 2 + value.length();
    }
  }

  /**
   * The fragments of an event; the event itself if it is small enough.
   *
   * @param token of the whole event
   * @throws CommandException if one field is too large for a fragment
   */
  static List<Document> of(Document event, ResumeToken token) {
    if (event.length() <= MAX_BYTES) {
      return List.of(event);
    }
    List<List<Field>> groups = groups(event);
    List<Document> fragments = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      fragments.add(fragment(groups.get(i), token.ofFragment(i), i + 1, groups.size()));
    }
    return fragments;
  }

  private static List<List<Field>> groups(Document event) {
    List<List<Field>> groups = new ArrayList<>();
    long bytes = MAX_BYTES;
    for (Field field : bySize(event)) {
      if (field.bytes() > MAX_BYTES - OVERHEAD) {
        throw new CommandException(
            ErrorCode.BSON_OBJECT_TOO_LARGE,
            "the field '" + field.name() + "' of a change event is too large for a fragment");
      }
      bytes += field.bytes();
      if (bytes > MAX_BYTES) {
        groups.add(new ArrayList<>());
        bytes = (long) OVERHEAD + field.bytes();
      }
      groups.getLast().add(field);
    }
    return groups;
  }

  private static List<Field> bySize(Document event) {
    List<Field> all = new ArrayList<>();
    Fields fields = event.fields();
    while (fields.next()) {
      if (!fields.named("_id")) {
        all.add(new Field(fields.name(), fields.value()));
      }
    }
    all.sort(Comparator.comparingInt(Field::bytes));
    return all;
  }

  private static Document fragment(List<Field> fields, ResumeToken token, int number, int of) {
    DocumentWriter fragment =
        Document.writer()
            .put("_id", token.toDocument())
            .startDocument("splitEvent")
            .put("fragment", number)
            .put("of", of)
            .end();
    fields.forEach(field -> fragment.put(field.name(), field.value()));
    return fragment.build();
  }
}
