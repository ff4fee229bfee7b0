package dev.mayfly.cosmos.rest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * The system's own id of a resource: that of its owner, followed by a number of its own.
 *
 * <p>4 bytes are a database, 8 a container (first bit of the second half set) or a user (not set),
 * 16 what lies in a container (its kind in the upper half of the last byte) or a permission, 20 an
 * attachment of an item. Clients take the bytes apart; as text they are base64 with {@code -} for
 * {@code /}.
 */
public final class Rid {
  private static final int CONTAINER_BIT = 0x8000_0000;
  private static final long MAX_CHILD = (1L << 60) - 1;
  private static final int DATABASE_BYTES = 4;
  private static final int CONTAINER_BYTES = 8;
  private static final int CLIENT_KEY_BYTES = 12;
  private static final int CHILD_BYTES = 16;
  private static final int ATTACHMENT_BYTES = 20;

  /** What lies in a container, by the number that its rids end in. */
  public enum Kind {
    ITEM(0),
    CONFLICT(4),
    PARTITION_KEY_RANGE(5),
    FUNCTION(6),
    TRIGGER(7),
    STORED_PROCEDURE(8);

    private final long code;

    Kind(int code) {
      this.code = code;
    }
  }

  private final byte[] bytes;
  private final String text;

  private Rid(byte[] bytes) {
    this.bytes = bytes;
    this.text = Base64.getEncoder().encodeToString(bytes).replace('/', '-');
  }

  public static Rid database(int number) {
    return new Rid(ByteBuffer.allocate(DATABASE_BYTES).putInt(number).array());
  }

  /** An offer has a rid of three bytes. */
  public static Rid offer(int number) {
    byte[] four = ByteBuffer.allocate(DATABASE_BYTES).putInt(number).array();
    return new Rid(Arrays.copyOfRange(four, 1, DATABASE_BYTES));
  }

  /** A container in the database that this is. */
  public Rid container(long number) {
    return half((int) number | CONTAINER_BIT);
  }

  /** A user of the database that this is. */
  public Rid user(long number) {
    return half((int) number & ~CONTAINER_BIT);
  }

  /** A key that clients of the database that this is encrypt with. */
  public Rid clientKey(int number) {
    return new Rid(
        ByteBuffer.allocate(CLIENT_KEY_BYTES).put(bytes).putInt(0).putInt(number).array());
  }

  private Rid half(int number) {
    return new Rid(ByteBuffer.allocate(CONTAINER_BYTES).put(bytes).putInt(number).array());
  }

  /** What has this number in the container (or, as an item, of the user) that this is. */
  public Rid child(Kind kind, long number) {
    long tagged = (number & MAX_CHILD) | kind.code << 60;
    ByteBuffer buffer = ByteBuffer.allocate(CHILD_BYTES).put(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return new Rid(buffer.putLong(tagged).array());
  }

  /** The item of that number in the container that this is. */
  public Rid item(long number) {
    return child(Kind.ITEM, number);
  }

  /** The attachment of that number to the item that this is. */
  public Rid attachment(int number) {
    return new Rid(ByteBuffer.allocate(ATTACHMENT_BYTES).put(bytes).putInt(number).array());
  }

  /** The number of an attachment among those of its item. */
  public int attachmentNumber() {
    return bytes.length < ATTACHMENT_BYTES ? 0 : ByteBuffer.wrap(bytes).getInt(CHILD_BYTES);
  }

  /** The database that this is, or is in. */
  public Rid database() {
    return new Rid(Arrays.copyOf(bytes, DATABASE_BYTES));
  }

  /** The container that this is, or is in. */
  public Rid container() {
    return new Rid(Arrays.copyOf(bytes, CONTAINER_BYTES));
  }

  /**
   * What the media of the attachment that this is are called: one more byte says where they are.
   */
  public String media() {
    return new Rid(Arrays.copyOf(bytes, ATTACHMENT_BYTES + 1)).text();
  }

  /** The attachment of the media that are called so; empty when none can be. */
  public static Optional<Rid> ofMedia(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text.replace('-', '/'));
      return bytes.length == ATTACHMENT_BYTES || bytes.length == ATTACHMENT_BYTES + 1
          ? Optional.of(new Rid(Arrays.copyOf(bytes, ATTACHMENT_BYTES)))
          : Optional.empty();
    } catch (IllegalArgumentException noBase64) {
      return Optional.empty();
    }
  }

  /** What a text denotes; empty when it is no rid. */
  public static Optional<Rid> parse(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text.replace('-', '/'));
      return lengthKnown(bytes.length) ? Optional.of(new Rid(bytes)) : Optional.empty();
    } catch (IllegalArgumentException noBase64) {
      return Optional.empty();
    }
  }

  private static boolean lengthKnown(int length) {
    return length == DATABASE_BYTES - 1
        || length == DATABASE_BYTES
        || length == CONTAINER_BYTES
        || length == CHILD_BYTES
        || length == ATTACHMENT_BYTES;
  }

  /** The number of an item or of something else that lies in a container. */
  public long number() {
    if (bytes.length < CHILD_BYTES) {
      return 0;
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(CONTAINER_BYTES)
        & MAX_CHILD;
  }

  /** As clients see it. */
  public String text() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Rid rid && text.equals(rid.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
