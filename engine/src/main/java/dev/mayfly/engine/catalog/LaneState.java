package dev.mayfly.engine.catalog;

import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/**
 * Lane in the stored state of a collection.
 *
 * @param source the path of the property or the name of the index; empty for other kinds
 * @param index the stored form of the index, kept after the index is dropped; empty for other kinds
 * @param format of the time in the property, the field or the id; the standard for other kinds
 * @param sliding whether reads move documents to later places
 * @param since the sequence from which on headers contain the place
 * @param ready false while the entries of existing documents are being built
 * @param kept whether writes maintain the lane; false once no rule needs it. Its marks remain
 */
public record LaneState(
    int number,
    Kind kind,
    String source,
    Document index,
    TimeFormat format,
    boolean sliding,
    long since,
    boolean ready,
    boolean kept) {
  /** Source of the place of a document. */
  enum Kind {
    /** The second of the last write, for documents without a {@code ttl}. */
    INHERITED,
    /** The second of the last write plus the document's {@code ttl}. */
    OWN,
    /**
     * The time in a property, for documents without a {@code ttl}. The path is empty for the time
     * of the last write, in a sliding lane.
     */
    PROPERTY,
    /** The time in a property plus the document's {@code ttl}. */
    PROPERTY_OWN,
    /** The earliest time in the field of an index. */
    INDEX,
    /** The time in the id. */
    ID;

    /** The format unless a rule has another one. */
    TimeFormat standardFormat() {
      return this == PROPERTY || this == PROPERTY_OWN ? TimeFormat.SECONDS : TimeFormat.DATE;
    }
  }

  /** Returns the name of its rule, for forecasts and statistics. */
  String rule() {
    return switch (kind) {
      case INHERITED, PROPERTY -> "default";
      case OWN, PROPERTY_OWN -> "own";
      case INDEX -> "index:" + source;
      case ID -> "id";
    };
  }

  /** Returns the name of its rule in {@link dev.mayfly.engine.TimeToLive#sliding}. */
  String slidingRule() {
    return kind == Kind.OWN || kind == Kind.PROPERTY_OWN ? "default" : rule();
  }

  LaneState whenReady() {
    return new LaneState(number, kind, source, index, format, sliding, since, true, kept);
  }

  /**
   * Returns this lane after its index was dropped: no rule uses it, but documents that have expired
   * in it are still swept.
   */
  LaneState orphaned() {
    return new LaneState(number, kind, "", index, format, sliding, since, ready, kept);
  }

  /** Returns this lane after the last document that can expire in it was swept. */
  LaneState retired() {
    return new LaneState(number, kind, source, index, format, sliding, since, true, false);
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
        .put("format", format == kind.standardFormat() ? Value.MISSING : Value.of(format.code()))
        .put("sliding", sliding ? Value.of(true) : Value.MISSING)
        .build();
  }

  static LaneState of(Document document) {
    Kind kind = Kind.valueOf(document.field("kind").asString());
    Value format = document.field("format");
    return new LaneState(
        document.field("number").asInt(),
        kind,
        document.field("source").asString(),
        document.field("index").asDocument(),
        format.isMissing()
            ? kind.standardFormat()
            : TimeFormat.named(format.asString()).orElseThrow(),
        !document.field("sliding").isMissing(),
        document.field("since").asLong(),
        document.field("ready").asBoolean(),
        document.field("kept").asBoolean());
  }
}
