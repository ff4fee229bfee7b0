package dev.mayfly.engine.catalog;

import dev.mayfly.value.Document;

/**
 * A lane as the catalog keeps it.
 *
 * @param source the path or the index that gives the place; empty where the kind says it all
 * @param index the form of the index that gives the place, kept beyond the life of the index itself
 * @param since the sequence from which headers tell the place
 * @param ready false while the lane of older documents is being built
 * @param kept false once the lane serves no rule any more: writes no longer keep it up, but its
 *     marks still hold
 */
public record LaneState(
    int number, Kind kind, String source, Document index, long since, boolean ready, boolean kept) {
  /** Where the place of a document comes from. */
  enum Kind {
    /** The second of the last write, for documents without a ttl of their own. */
    INHERITED,
    /** The second of the last write plus the document's own ttl. */
    OWN,
    /** A property in epoch seconds, for documents without a ttl of their own. */
    PROPERTY,
    /** A property in epoch seconds plus the document's own ttl. */
    PROPERTY_OWN,
    /** The earliest date in the field of an index. */
    INDEX,
    /** The date in the id. */
    ID
  }

  /** What the rule behind it is called. */
  String rule() {
    return switch (kind) {
      case INHERITED, PROPERTY -> "default";
      case OWN, PROPERTY_OWN -> "own";
      case INDEX -> "index:" + source;
      case ID -> "id";
    };
  }

  LaneState whenReady() {
    return new LaneState(number, kind, source, index, since, true, kept);
  }

  /** This lane when its index is gone: it counts no more, but what expired on it is still swept. */
  LaneState orphaned() {
    return new LaneState(number, kind, "", index, since, ready, kept);
  }

  /** This lane when nothing expires by it any more. */
  LaneState retired() {
    return new LaneState(number, kind, source, index, since, true, false);
  }

  Document toDocument() {
    return Document.writer()
        .put("number", number)
        .put("kind", kind.name())
        .put("source", source)
        .put("index", index)
        .put("since", since)
        .put("ready", ready)
        .put("kept", kept)
        .build();
  }

  static LaneState of(Document document) {
    return new LaneState(
        document.field("number").asInt(),
        Kind.valueOf(document.field("kind").asString()),
        document.field("source").asString(),
        document.field("index").asDocument(),
        document.field("since").asLong(),
        document.field("ready").asBoolean(),
        document.field("kept").asBoolean());
  }
}
