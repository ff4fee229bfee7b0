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
 * Resume token of a change stream: the position after an event.
 *
 * <p>Its text begins with the cluster time in MongoDB's key format, because connectors read it to
 * compute their lag. The rest is Mayfly's own format.
 *
 * @param epochMillis the time of the event, or the time until which there was no event
 * @param position the position of the last change before the token
 * @param kind the kind of event before the token
 * @param fragment the number of the last returned fragment of a split event, from 0; {@link #WHOLE}
 *     if the whole event was returned
 */
record ResumeToken(long epochMillis, long position, Kind kind, int fragment) {
  static final int WHOLE = -1;

  /** The type byte of a timestamp in MongoDB's key format. */
  private static final byte TIMESTAMP = (byte) 130;

  private static final byte VERSION = 1;
  private static final int LENGTH = 19;

  /** A token after all events of a position. */
  ResumeToken(long epochMillis, long position, Kind kind) {
    this(epochMillis, position, kind, WHOLE);
  }

  /** The kind of event before a token. */
  enum Kind {
    /** A change, or no event up to that time. */
    CHANGE('c'),
    /** An event that ends the stream: an {@code invalidate} follows it. */
    ENDING('d'),
    /** The {@code invalidate} event: a stream can continue only by {@code startAfter}. */
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
        default -> throw new IllegalArgumentException("unknown kind of token: " + code);
      };
    }
  }

  /** The token after one fragment of the event. */
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
   * Parses a token.
   *
   * @throws CommandException INVALID_RESUME_TOKEN if this server did not create it
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
      // fails below
    }
    throw new CommandException(
        ErrorCode.INVALID_RESUME_TOKEN, "the resume token was not created by a Mayfly server");
  }
}
