package dev.mayfly.engine.index;

/** Receiver of the keys of a document, each once, in key order. */
@FunctionalInterface
public interface KeySink {
  /**
   * Receives the first {@code length} bytes of a buffer, which are valid until this method returns.
   */
  void key(byte[] buffer, int length);
}
