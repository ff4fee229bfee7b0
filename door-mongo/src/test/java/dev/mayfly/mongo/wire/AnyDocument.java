package dev.mayfly.mongo.wire;

import dev.mayfly.value.Document;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;

/** What a fuzzer calls with bytes that may be a document. */
public final class AnyDocument {
  private AnyDocument() {}

  /** Reads every value of it; fails when it is neither read nor refused. */
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
