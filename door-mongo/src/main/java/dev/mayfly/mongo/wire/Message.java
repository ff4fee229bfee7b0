package dev.mayfly.mongo.wire;

import dev.mayfly.value.Document;
import dev.mayfly.value.ValueException;
import java.util.List;
import java.util.Map;

/** A decoded message. Its documents are views of the array of the frame. */
public sealed interface Message {
  /** The requestID of the header; the reply repeats it as responseTo. */
  int requestId();

  /** The compressor of the message; the reply uses the same. */
  Compressor compressor();

  /**
   * A command in an OP_MSG.
   *
   * @param silent whether no reply is expected (moreToCome)
   * @param exhaust whether several replies may follow (exhaustAllowed)
   * @param sequences the document sequences by field name
   */
  record Call(
      int requestId,
      Compressor compressor,
      boolean silent,
      boolean exhaust,
      Document body,
      Map<String, List<Document>> sequences)
      implements Message {}

  /** A legacy OP_QUERY, which drivers use for the first hello. */
  record Query(int requestId, Compressor compressor, String collection, Document body)
      implements Message {}

  /** A complete frame with invalid BSON. */
  record Unreadable(int requestId, Compressor compressor, ValueException failure)
      implements Message {}

  /** Opcodes. */
  int REPLY = 1;

  int QUERY = 2004;
  int COMPRESSED = 2012;
  int MSG = 2013;

  /** The number of bytes at the start of a frame that contain both of its sizes. */
  int SIZES = 24;

  /** The size of a frame, or its uncompressed size if that is larger. */
  static long size(byte[] frame) {
    return Math.max(frame.length, uncompressedBytes(frame, 0, frame.length));
  }

  /** The uncompressed size in the header of a frame; 0 if it is not compressed. */
  static int uncompressedBytes(byte[] buffer, int start, int length) {
    boolean compressed = length >= SIZES && WireBytes.int32(buffer, start + 12) == COMPRESSED;
    return compressed ? WireBytes.int32(buffer, start + 20) : 0;
  }

  /**
   * Decodes a frame.
   *
   * @throws WireException if it violates the protocol
   */
  static Message decode(byte[] frame) {
    return new MessageDecoder(frame, Compressor.NOOP).decode();
  }
}
