package dev.mayfly.query;

import dev.mayfly.value.Document;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Comparator of documents by the sort keys of a query.
 *
 * <p>Every document has one {@linkplain #key sort key}, a byte string; documents compare as their
 * keys do. To sort many documents, compute each key once and compare the keys.
 *
 * <ul>
 *   <li>{@link Mode#MATCH}: missing counts as null. Of the tuples that arrays expand to, the one
 *       that sorts first counts: the smallest element ascending, the largest descending. An empty
 *       array sorts below null.
 *   <li>{@link Mode#SQL}: undefined sorts first; arrays and objects sort last and are equal among
 *       themselves. With several keys they count as undefined, as in composite indexes.
 * </ul>
 *
 * <p>Keeps buffers: belongs to one thread at a time.
 */
public final class DocumentComparator implements Comparator<Document> {
  private static final Value EMPTY_ARRAY = Value.array(Document.EMPTY);
  private static final Value EMPTY_OBJECT = Value.of(Document.EMPTY);

  private final List<Sort> keys;
  private final Mode mode;
  private final Expansion expansion;
  private final KeyWriter writer = new KeyWriter();
  private byte[] least = new byte[0];

  /** Creates a comparator by these keys, most significant first, each with its own collation. */
  public DocumentComparator(List<Sort> keys, Mode mode) {
    this.keys = List.copyOf(keys);
    this.mode = mode;
    this.expansion = new Expansion(keys.stream().map(Sort::path).toList());
  }

  /** Creates a comparator by these keys, most significant first, with one collation for all. */
  public DocumentComparator(List<Sort> keys, Mode mode, Collation collation) {
    this(keys.stream().map(key -> key.collated(collation)).toList(), mode);
  }

  /**
   * Compares by sort keys.
   *
   * @throws QueryException PARALLEL_ARRAYS or AMBIGUOUS_FIELD_NAME, in {@link Mode#MATCH}
   */
  @Override
  public int compare(Document a, Document b) {
    return Arrays.compareUnsigned(key(a), key(b));
  }

  /**
   * Returns the sort key of the document; compare keys as unsigned bytes.
   *
   * @throws QueryException PARALLEL_ARRAYS or AMBIGUOUS_FIELD_NAME, in {@link Mode#MATCH}
   */
  public byte[] key(Document document) {
    return switch (mode) {
      case MATCH -> leastTuple(document);
      case SQL -> explicitTuple(document);
    };
  }

  /**
   * Returns the values of the document that count, one for each key.
   *
   * @throws QueryException PARALLEL_ARRAYS or AMBIGUOUS_FIELD_NAME, in {@link Mode#MATCH}
   */
  public List<Value> values(Document document) {
    if (mode == Mode.SQL) {
      return keys.stream().map(key -> comparable(document.at(key.path()))).toList();
    }
    byte[] key = leastTuple(document);
    List<Value> values = new ArrayList<>();
    expansion.expand(
        document,
        tuple -> {
          write(tuple);
          if (values.isEmpty() && Arrays.equals(key, writer.bytes())) {
            for (int i = 0; i < keys.size(); i++) {
              values.add(counted(tuple, i));
            }
          }
        });
    return values;
  }

  private byte[] leastTuple(Document document) {
    least = new byte[0];
    expansion.expand(document, this::keepLeast);
    return least;
  }

  private void keepLeast(Expansion tuple) {
    write(tuple);
    boolean first = least.length == 0;
    if (first
        || Arrays.compareUnsigned(writer.buffer(), 0, writer.length(), least, 0, least.length)
            < 0) {
      least = writer.bytes();
    }
  }

  private void write(Expansion tuple) {
    writer.clear();
    for (int i = 0; i < keys.size(); i++) {
      append(keys.get(i), counted(tuple, i));
    }
  }

  private static Value counted(Expansion tuple, int key) {
    return tuple.type(key) == Type.MISSING ? Value.NULL : tuple.value(key);
  }

  private byte[] explicitTuple(Document document) {
    writer.clear();
    for (Sort key : keys) {
      append(key, comparable(document.at(key.path())));
    }
    return writer.bytes();
  }

  private Value comparable(Value value) {
    return switch (value.type()) {
      case UNDEFINED -> Value.MISSING;
      case ARRAY -> keys.size() > 1 ? Value.MISSING : EMPTY_ARRAY;
      case OBJECT -> keys.size() > 1 ? Value.MISSING : EMPTY_OBJECT;
      default -> value;
    };
  }

  private void append(Sort key, Value value) {
    Order order = mode.order();
    Value compared = key.collation().fold(value);
    if (key.descending()) {
      writer.appendDescending(compared, order);
    } else {
      writer.append(compared, order);
    }
  }
}
