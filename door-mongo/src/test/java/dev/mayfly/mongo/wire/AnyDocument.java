package dev.mayfly.mongo.wire;

import dev.mayfly.value.Document;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;

/** Entry point of a fuzzer: decodes bytes as a document. */
public final class AnyDocument {
  private AnyDocument() {}

  /** Reads every value; fails unless the bytes are decoded or rejected. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    Document document;
    try {
      document = Document.of(bytes, Limits.MONGO);
    } catch (ValueException refused) {
      return;
    }
    WireFuzzTest.look(document);
  }
}
