package dev.mayfly.mongo.wire;

/** Entry point of a fuzzer: decodes bytes as frames. */
public final class AnyFrames {
  private AnyFrames() {}

  /** Reads all frames; fails unless they are decoded or rejected. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    WireFuzzTest.read(bytes);
  }
}
