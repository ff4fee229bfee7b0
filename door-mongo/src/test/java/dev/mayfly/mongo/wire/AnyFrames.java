package dev.mayfly.mongo.wire;

/** What a fuzzer calls with bytes that may be frames. */
public final class AnyFrames {
  private AnyFrames() {}

  /** Reads all frames there are; fails when they are neither read nor refused. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    WireFuzzTest.read(bytes);
  }
}
