package dev.mayfly.mongo.wire;

import dev.mayfly.value.Document;
import dev.mayfly.value.ValueException;
import java.util.List;
import java.util.Map;

/** What one frame says. Its documents are views of the frame's array. */
public sealed interface Message {
  /** What the peer calls this message; the reply refers to it. */
  int requestId();

  /** How it was packed; the reply is packed the same way. */
  Compressor compressor();

  /**
   * A call of a command.
   *
   * @param silent whether no reply is wanted
   * @param exhaust whether several replies may be sent to this one message
   * @param sequences documents beside the body, by the field they stand for
   */
  record Call(
      int requestId,
      Compressor compressor,
      boolean silent,
      boolean exhaust,
      Document body,
      Map<String, List<Document>> sequences)
      implements Message {}

  /** A query in the form of old, by which drivers say hello before they know what we speak. */
  record Query(int requestId, Compressor compressor, String collection, Document body)
      implements Message {}

  /** A frame that is whole but holds no valid documents. */
  record Unreadable(int requestId, Compressor compressor, ValueException failure)
      implements Message {}

  /** The numbers by which frames tell what they are. */
  int REPLY = 1;

  int QUERY = 2004;
  int COMPRESSED = 2012;
  int MSG = 2013;

  /** From so many bytes on a frame says how many it has, as it comes and unpacked. */
  int SIZES = 24;

  /** How many bytes a frame has, or says that it has when it is unpacked. */
  static long size(byte[] frame) {
    return Math.max(frame.length, unpackedBytes(frame, 0, frame.length));
  }

  /** How many bytes a frame says that it has when it is unpacked; 0 when it is not packed. */
  static int unpackedBytes(byte[] buffer, int start, int length) {
    boolean packed = length >= SIZES && WireBytes.int32(buffer, start + 12) == COMPRESSED;
    return packed ? WireBytes.int32(buffer, start + 20) : 0;
  }

  /**
   * Says what a frame is.
   *
   * @throws WireException when it keeps to no form at all
   */
  static Message decode(byte[] frame) {
    return new MessageDecoder(frame, Compressor.NOOP).decode();
  }
}
