package dev.mayfly.mongo.change;

import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * From where a change stream goes on.
 *
 * @param position the last change that has been seen
 * @param kind what was seen there
 */
record ResumeToken(long position, Kind kind) {
  private static final byte VERSION = 1;
  private static final int LENGTH = 10;

  /** What a token stands behind. */
  enum Kind {
    /** A change, or the end of what there was. */
    CHANGE('c'),
    /** An event that ends the stream: an {@code invalidate} follows it. */
    ENDING('d'),
    /** The event that ended a stream: only {@code startAfter} goes on from there. */
    INVALIDATE('i');

    private final char code;

    Kind(char code) {
      this.code = code;
    }

    private static Kind of(byte code) {
      return switch (code) {
        case 'c' -> CHANGE;
        case 'd' -> ENDING;
        case 'i' -> INVALIDATE;
        default -> throw new IllegalArgumentException("no kind of token: " + code);
      };
    }
  }

  Document toDocument() {
    byte[] bytes =
        ByteBuffer.allocate(LENGTH).put(VERSION).put((byte) kind.code).putLong(position).array();
    return Document.writer().put("_data", HexFormat.of().withUpperCase().formatHex(bytes)).build();
  }

  /**
   * The token of this form.
   *
   * @throws CommandException INVALID_RESUME_TOKEN when it is none of ours
   */
  static ResumeToken of(Document document) {
    Value data = document.field("_data");
    try {
      if (data.type() == Type.STRING) {
        byte[] bytes = HexFormat.of().parseHex(data.asString());
        if (bytes.length == LENGTH && bytes[0] == VERSION) {
          return new ResumeToken(ByteBuffer.wrap(bytes).getLong(2), Kind.of(bytes[1]));
        }
      }
    } catch (IllegalArgumentException noToken) {
      // Refused below, as any other text that is no token.
    }
    throw new CommandException(
        ErrorCode.INVALID_RESUME_TOKEN, "the resume token was not made by this server");
  }
}
