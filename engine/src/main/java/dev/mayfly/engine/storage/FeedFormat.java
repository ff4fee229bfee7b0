package dev.mayfly.engine.storage;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.Usage;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Format of feed entries: one entry per write, one entry per group of expiries.
 *
 * <p>Every entry starts with its change of the shard's totals. Commits may reach the log in another
 * order than their positions, so an entry cannot contain the totals themselves: a restart adds the
 * changes since the last checkpoint of the totals. Specified in {@code docs/formats/feed.md}.
 */
public final class FeedFormat {
  /**
   * Set in the kind of entries that contain the change of the totals. Entries without it, of
   * earlier versions, contain the totals.
   */
  private static final int CHANGE = 8;

  /** Kind of a group of expiries with a deflated body. */
  private static final int DEFLATED = 5;

  /** Minimum length of a body that is deflated, in bytes. */
  private static final int MIN_DEFLATED = 512;

  /** Cause of a write in a transaction, whose id precedes the body. */
  private static final int IN_TRANSACTION = 4;

  /** Cause of a delete that follows the delete of the parent. */
  private static final int WITH_PARENT = 5;

  private static final int BEFORE = 1;
  private static final int AFTER = 2;

  /** Both images follow, reduced to the fields that differ. */
  private static final int DIFFERENCES = 4;

  /** A note follows the images. */
  private static final int NOTED = 8;

  private FeedFormat() {}

  /**
   * Totals of a shard.
   *
   * @param stored documents that are neither swept nor deleted, live or not
   * @param offset the approximate size of all feed entries so far
   */
  public record Totals(Usage stored, long offset) {
    public static final Totals NONE = new Totals(Usage.NONE, 0);
  }

  /**
   * Writes the start of an entry.
   *
   * @param change the change of the totals since the previous entry of the same commit
   * @param offset the approximate size of all earlier entries
   */
  public static void begin(
      ByteBuilder to, Kind kind, Cause cause, long time, Usage change, long offset) {
    to.clear()
        .put((code(kind) | CHANGE) << 4 | code(cause))
        .signed(change.documents())
        .signed(change.bytes())
        .varint(offset)
        .varint(time);
  }

  private static int code(Kind kind) {
    return switch (kind) {
      case INSERT -> 1;
      case UPDATE -> 2;
      case DELETE -> 3;
      case EXPIRE -> 4;
      case REPLACE -> 6;
    };
  }

  private static Kind kind(int code) {
    return switch (code & ~CHANGE) {
      case 1 -> Kind.INSERT;
      case 2 -> Kind.UPDATE;
      case 3 -> Kind.DELETE;
      case 4, DEFLATED -> Kind.EXPIRE;
      case 6 -> Kind.REPLACE;
      default -> throw new EngineException(Reason.UNREADABLE, "unknown kind of change: " + code);
    };
  }

  private static int code(Cause cause) {
    return switch (cause) {
      case WRITE -> 1;
      case CAP -> 2;
      case DEADLINE -> 3;
      case PARENT -> WITH_PARENT;
    };
  }

  private static Cause cause(int code) {
    return switch (code) {
      case 1, IN_TRANSACTION -> Cause.WRITE;
      case 2 -> Cause.CAP;
      case 3 -> Cause.DEADLINE;
      case WITH_PARENT -> Cause.PARENT;
      default -> throw new EngineException(Reason.UNREADABLE, "unknown cause of a change: " + code);
    };
  }

  /** Marks a write as part of a transaction. */
  public static void mark(ByteBuilder to, TransactionId transaction) {
    to.buffer()[0] = (byte) ((to.buffer()[0] & 0xF0) | IN_TRANSACTION);
    to.sized(transaction.session().array()).varint(transaction.number());
  }

  /** Writes the body of a change to one document. */
  public static void write(
      ByteBuilder to, PrimaryKey key, Document before, Document after, Document note) {
    int images = (before.isEmpty() ? 0 : BEFORE) | (after.isEmpty() ? 0 : AFTER);
    to.sized(key.bytes()).sized(key.spelled()).put(images | noted(note));
    image(to, before);
    image(to, after);
    image(to, note);
  }

  private static int noted(Document note) {
    return note.isEmpty() ? 0 : NOTED;
  }

  /** Writes the body of an update that stores only changed fields. */
  public static void writeDifferences(
      ByteBuilder to, PrimaryKey key, Document before, Document after, Document note) {
    to.sized(key.bytes()).sized(key.spelled()).put(DIFFERENCES | noted(note));
    FieldDifferences.write(to, before, after);
    FieldDifferences.write(to, after, before);
    image(to, note);
  }

  private static void image(ByteBuilder to, Document image) {
    if (!image.isEmpty()) {
      to.put(image.buffer(), image.offset(), image.length());
    }
  }

  /** Returns whether an entry contains the totals after it, as entries of earlier versions do. */
  public static boolean hasTotals(byte[] entry) {
    return (entry[0] >> 4 & CHANGE) == 0;
  }

  /** The totals of the shard after an entry that {@linkplain #hasTotals has} them. */
  public static Usage totals(byte[] entry) {
    ByteCursor cursor = new ByteCursor(entry, 1);
    return new Usage(cursor.varint(), cursor.varint());
  }

  /** The change of the shard's totals by an entry that does not contain the totals. */
  public static Usage change(byte[] entry) {
    ByteCursor cursor = new ByteCursor(entry, 1);
    return new Usage(cursor.signed(), cursor.signed());
  }

  /** The approximate size of all earlier entries. */
  public static long offset(byte[] entry) {
    ByteCursor cursor = new ByteCursor(entry, 1);
    cursor.varint();
    cursor.varint();
    return cursor.varint();
  }

  public static long time(byte[] entry) {
    ByteCursor cursor = new ByteCursor(entry, 1);
    cursor.varint();
    cursor.varint();
    cursor.varint();
    return cursor.varint();
  }

  /** Returns the changes of one entry after a position. */
  public static List<Change> read(CollectionSpec spec, long first, byte[] entry, long after) {
    int code = entry[0] >> 4 & 0xF;
    Kind kind = kind(code);
    Cause cause = cause(entry[0] & 0xF);
    ByteCursor cursor = new ByteCursor(entry, 1);
    cursor.varint();
    cursor.varint();
    cursor.varint();
    long time = cursor.varint();
    if (kind == Kind.EXPIRE) {
      boolean deflated = (code & ~CHANGE) == DEFLATED;
      ByteCursor body = deflated ? new ByteCursor(inflate(cursor.rest()), 0) : cursor;
      return expiries(spec, first, time, body, after);
    }
    if (first <= after) {
      return List.of();
    }
    boolean inTransaction = (entry[0] & 0xF) == IN_TRANSACTION;
    TransactionId transaction =
        inTransaction
            ? new TransactionId(new ByteKey(cursor.sized()), cursor.varint())
            : TransactionId.NONE;
    DocumentKey key = PrimaryKey.read(spec, cursor.sized(), cursor.sized());
    int images = cursor.read();
    boolean differences = (images & DIFFERENCES) != 0;
    boolean hasBefore = differences || (images & BEFORE) != 0;
    Document before = hasBefore ? cursor.document() : Document.EMPTY;
    boolean hasAfter = differences || (images & AFTER) != 0;
    Document changed = hasAfter ? cursor.document() : Document.EMPTY;
    Document note = (images & NOTED) != 0 ? cursor.document() : Document.EMPTY;
    return List.of(
        new Change(
            first,
            time,
            kind,
            cause,
            key,
            Deadline.NEVER,
            transaction,
            before,
            changed,
            differences,
            note));
  }

  private static List<Change> expiries(
      CollectionSpec spec, long first, long time, ByteCursor cursor, long after) {
    List<Change> changes = new ArrayList<>();
    byte[] key = {};
    long deadline = 0;
    for (long position = first; !cursor.atEnd(); position++) {
      int shared = Math.toIntExact(cursor.varint());
      byte[] suffix = cursor.sized();
      byte[] next = Arrays.copyOf(key, shared + suffix.length);
      System.arraycopy(suffix, 0, next, shared, suffix.length);
      key = next;
      deadline += cursor.signed();
      int flags = cursor.read();
      byte[] spelled = (flags & AFTER) != 0 ? cursor.sized() : new byte[0];
      Document before = (flags & BEFORE) != 0 ? cursor.document() : Document.EMPTY;
      if (position > after) {
        DocumentKey documentKey = PrimaryKey.read(spec, key, spelled);
        changes.add(
            new Change(
                position,
                time,
                Kind.EXPIRE,
                Cause.DEADLINE,
                documentKey,
                deadline,
                TransactionId.NONE,
                before,
                Document.EMPTY,
                false,
                Document.EMPTY));
      }
    }
    return changes;
  }

  private static byte[] deflate(ByteBuilder body) {
    try (Deflater deflater = new Deflater(Deflater.BEST_SPEED)) {
      deflater.setInput(body.buffer(), 0, body.size());
      deflater.finish();
      byte[] to = new byte[body.size()];
      int length = deflater.deflate(to);
      return deflater.finished() ? Arrays.copyOf(to, length) : new byte[0];
    }
  }

  private static byte[] inflate(byte[] deflated) {
    ByteBuilder to = new ByteBuilder();
    try (Inflater inflater = new Inflater()) {
      inflater.setInput(deflated);
      while (!inflater.finished()) {
        to.reserve(deflated.length);
        int length = inflater.inflate(to.buffer(), to.size(), deflated.length);
        if (length == 0 && !inflater.finished()) {
          throw new EngineException(Reason.UNREADABLE, "a group of expiries is truncated");
        }
        to.advance(to.size() + length);
      }
    } catch (DataFormatException e) {
      throw new EngineException(Reason.UNREADABLE, "a group of expiries is corrupt");
    }
    return to.bytes();
  }

  /** Builder of the body of a group of expiries: keys share their prefix with the previous one. */
  public static final class Expiries {
    private final ByteBuilder body = new ByteBuilder();
    private byte[] last = {};
    private long deadline;
    private int count;

    public void add(byte[] primaryKey, byte[] spelled, long expiredAt, Document before) {
      int shared = Math.max(Arrays.mismatch(last, primaryKey), 0);
      if (Arrays.equals(last, primaryKey)) {
        shared = primaryKey.length;
      }
      body.varint(shared).varint(primaryKey.length - shared);
      body.put(primaryKey, shared, primaryKey.length - shared).signed(expiredAt - deadline);
      int flags = (before.isEmpty() ? 0 : BEFORE) | (spelled.length == 0 ? 0 : AFTER);
      body.put(flags);
      if (spelled.length > 0) {
        body.sized(spelled);
      }
      image(body, before);
      last = primaryKey;
      deadline = expiredAt;
      count++;
    }

    public int count() {
      return count;
    }

    public int bytes() {
      return body.size();
    }

    /** Appends the body to the start of an entry, deflated if that is shorter. */
    public void writeTo(ByteBuilder to) {
      byte[] deflated = body.size() < MIN_DEFLATED ? new byte[0] : deflate(body);
      if (deflated.length > 0 && deflated.length < body.size()) {
        to.buffer()[0] = (byte) ((DEFLATED | CHANGE) << 4 | (to.buffer()[0] & 0xF));
        to.put(deflated);
      } else {
        to.put(body.buffer(), 0, body.size());
      }
    }
  }
}
