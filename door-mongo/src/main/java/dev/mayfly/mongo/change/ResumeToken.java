package dev.mayfly.mongo.change;

import dev.mayfly.mongo.command.ClusterTime;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * From where a change stream goes on.
 *
 * <p>Its text begins with a time as MongoDB's does, in the form of its index keys: connectors read
 * how far they are behind from there. The rest is our own.
 *
 * @param epochMillis when what was seen there happened, or nothing was left to be seen
 * @param position the last change that has been seen
 * @param kind what was seen there
 * @param fragment of an event that was told in several, the last one seen, from 0 on; {@link
 *     #WHOLE} when all of it was
 */
record ResumeToken(long epochMillis, long position, Kind kind, int fragment) {
  static final int WHOLE = -1;

  /** What a timestamp begins with in MongoDB's index keys. */
  private static final byte TIMESTAMP = (byte) 130;

  private static final byte VERSION = 1;
  private static final int LENGTH = 19;

  /** A token behind all that there is at a position. */
  ResumeToken(long epochMillis, long position, Kind kind) {
    this(epochMillis, position, kind, WHOLE);
  }

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

  /** The token behind one fragment of the event that this one stands behind. */
  ResumeToken ofFragment(int number) {
    return new ResumeToken(epochMillis, position, kind, number);
  }

  boolean isOfFragment() {
    return fragment != WHOLE;
  }

  Document toDocument() {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH + (isOfFragment() ? Integer.BYTES : 0));
    bytes.put(TIMESTAMP).putLong(ClusterTime.of(epochMillis).asTimestamp());
    bytes.put(VERSION).putLong(position).put((byte) kind.code);
    if (isOfFragment()) {
      bytes.putInt(fragment);
    }
    String data = HexFormat.of().withUpperCase().formatHex(bytes.array());
    return Document.writer().put("_data", data).build();
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
        ByteBuffer bytes = ByteBuffer.wrap(HexFormat.of().parseHex(data.asString()));
        boolean whole = bytes.capacity() == LENGTH;
        if ((whole || bytes.capacity() == LENGTH + Integer.BYTES) && bytes.get() == TIMESTAMP) {
          long epochMillis = ClusterTime.epochMillis(Value.timestamp(bytes.getLong()));
          if (bytes.get() == VERSION) {
            long position = bytes.getLong();
            Kind kind = Kind.of(bytes.get());
            int fragment = whole ? WHOLE : Math.max(0, bytes.getInt());
            return new ResumeToken(epochMillis, position, kind, fragment);
          }
        }
      }
    } catch (IllegalArgumentException noToken) {
      // Refused below, as any other text that is no token.
    }
    throw new CommandException(
        ErrorCode.INVALID_RESUME_TOKEN, "the resume token was not made by this server");
  }
}
