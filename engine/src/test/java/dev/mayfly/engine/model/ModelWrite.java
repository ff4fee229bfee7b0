package dev.mayfly.engine.model;

import dev.mayfly.engine.Write;
import java.util.List;
import java.util.Map;

/**
 * A write, in plain values.
 *
 * @param fields the new document; empty for a delete
 * @param version the expected version, or {@link Write#ANY_VERSION}
 */
record ModelWrite(Kind kind, ModelKey key, Map<String, Object> fields, long version) {
  /** Kind of write. */
  enum Kind {
    INSERT,
    UPSERT,
    REPLACE,
    UPDATE,
    DELETE,
    /** An update of many documents that writes them even if they stay the same. */
    TOUCH;

    /** The kinds of single writes. */
    static final List<Kind> SINGLE = List.of(INSERT, UPSERT, REPLACE, UPDATE, DELETE);
  }

  Write write() {
    return switch (kind) {
      case INSERT -> new Write.Insert(ModelDocument.encode(fields));
      case UPSERT -> new Write.Upsert(ModelDocument.encode(fields), version);
      case REPLACE -> new Write.Replace(ModelDocument.encode(fields), version);
      case UPDATE ->
          new Write.Update(key.documentKey(), _ -> ModelDocument.encode(fields), version);
      case TOUCH -> new Write.Touch(key.documentKey(), _ -> ModelDocument.encode(fields), version);
      case DELETE -> new Write.Delete(key.documentKey(), version);
    };
  }

  @Override
  public String toString() {
    String guard = version == Write.ANY_VERSION ? "" : " if version " + version;
    return kind + " " + key + (fields.isEmpty() ? "" : " " + fields) + guard;
  }
}
