package dev.mayfly.cosmos.rest;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Resource id ({@code _rid}): the rid of the owner, followed by a number.
 *
 * <p>A database has 4 bytes, a container 8 (first bit of the second half set), a user 8 (not set),
 * a resource in a container 16 (its kind in the upper half of the last byte), a permission 16, an
 * attachment of an item 20. Clients parse the bytes. The text form is base64 with {@code -} for
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

  /** Kinds of resources in a container, by the number that their rids end with. */
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

  /** Returns the rid of an offer: three bytes. */
  public static Rid offer(int number) {
    int three = ResourceNumber.of(number).inThreeBytes();
    byte[] four = ByteBuffer.allocate(DATABASE_BYTES).putInt(three).array();
    return new Rid(Arrays.copyOfRange(four, 1, DATABASE_BYTES));
  }

  /** Returns the rid of a container of this database. */
  public Rid container(long number) {
    return half((int) number | CONTAINER_BIT);
  }

  /** Returns the rid of a user of this database. */
  public Rid user(long number) {
    return half((int) number & ~CONTAINER_BIT);
  }

  /** Returns the rid of a client encryption key of this database. */
  public Rid clientKey(int number) {
    return new Rid(
        ByteBuffer.allocate(CLIENT_KEY_BYTES).put(bytes).putInt(0).putInt(number).array());
  }

  private Rid half(int number) {
    return new Rid(ByteBuffer.allocate(CONTAINER_BYTES).put(bytes).putInt(number).array());
  }

  /** Returns the rid of a resource of this container, or of a permission of this user. */
  public Rid child(Kind kind, long number) {
    long tagged = (number & MAX_CHILD) | kind.code << 60;
    ByteBuffer buffer = ByteBuffer.allocate(CHILD_BYTES).put(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return new Rid(buffer.putLong(tagged).array());
  }

  /** Returns the rid of an item of this container. */
  public Rid item(long number) {
    return child(Kind.ITEM, number);
  }

  /** Returns the rid of an attachment of this item. */
  public Rid attachment(int number) {
    return new Rid(ByteBuffer.allocate(ATTACHMENT_BYTES).put(bytes).putInt(number).array());
  }

  /** Returns the number of this attachment among those of its item. */
  public int attachmentNumber() {
    return bytes.length < ATTACHMENT_BYTES ? 0 : ByteBuffer.wrap(bytes).getInt(CHILD_BYTES);
  }

  /** Returns the number of the database; 0 in the rid of an offer. */
  public int databaseNumber() {
    return bytes.length < DATABASE_BYTES ? 0 : ByteBuffer.wrap(bytes).getInt();
  }

  /** Returns the rid of the database. */
  public Rid database() {
    return new Rid(Arrays.copyOf(bytes, DATABASE_BYTES));
  }

  /** Returns the rid of the container. */
  public Rid container() {
    return new Rid(Arrays.copyOf(bytes, CONTAINER_BYTES));
  }

  /** Returns the media id of this attachment: its rid and one byte for the storage location. */
  public String media() {
    return new Rid(Arrays.copyOf(bytes, ATTACHMENT_BYTES + 1)).text();
  }

  /** Returns the rid of the attachment with a media id; empty if the id is malformed. */
  public static Optional<Rid> ofMedia(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text.replace('-', '/'));
      return bytes.length == ATTACHMENT_BYTES || bytes.length == ATTACHMENT_BYTES + 1
          ? Optional.of(new Rid(Arrays.copyOf(bytes, ATTACHMENT_BYTES)))
          : Optional.empty();
    } catch (IllegalArgumentException invalid) {
      return Optional.empty();
    }
  }

  /** Parses a rid; empty if the text is not one. */
  public static Optional<Rid> parse(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text.replace('-', '/'));
      return lengthKnown(bytes.length) ? Optional.of(new Rid(bytes)) : Optional.empty();
    } catch (IllegalArgumentException invalid) {
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

  /** Returns the number of an item or of another resource in a container. */
  public long number() {
    if (bytes.length < CHILD_BYTES) {
      return 0;
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(CONTAINER_BYTES)
        & MAX_CHILD;
  }

  /** Returns the text form. */
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
