package dev.mayfly.engine.index;

/** Takes the keys of a document, each once, in key order. */
@FunctionalInterface
public interface KeySink {
  /** Takes the first {@code length} bytes of the buffer, which are good until this returns. */
  void key(byte[] buffer, int length);
}
