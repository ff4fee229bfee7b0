package dev.mayfly.engine.index;

import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Key extractor of a wildcard part: finds every path and value of a document that the index
 * contains.
 *
 * <p>An entry has two components: the {@linkplain PathText path}, then the value. MongoDB: objects
 * have no entry, elements of an array have the path of the array, an array inside an array is one
 * value, an empty array is undefined, an empty object is a value. Cosmos DB: every object and array
 * has an entry with its type, elements are one step below their array, and a missing leaf with a
 * scope has an entry, too.
 *
 * <p>The recursion is as deep as the document, whose depth is limited. Reuses buffers; used by one
 * thread at a time.
 */
final class WildcardWalk {
  private static final Value EMPTY_ARRAY = Value.array(Document.EMPTY);
  private static final Value EMPTY_OBJECT = Value.of(Document.EMPTY);

  private final Traversal traversal;
  private final Order order;
  private final Collation collation;
  private final boolean descending;
  private final PathText below;
  private final List<Area> areas;
  private final List<FieldPath> leaves;
  private final PathText path = new PathText();
  private final KeyWriter entry = new KeyWriter();
  private final List<Fields> cursors = new ArrayList<>();
  private List<byte[]> entries = new ArrayList<>();
  private byte[] buffer = Document.EMPTY.buffer();

  /** A scope with its path in encoded form. */
  private record Area(PathText path, Scope.Reach reach, boolean included) {
    boolean covers(PathText other) {
      return switch (reach) {
        case LEAF -> other.sameAs(path);
        case SUBTREE -> other.isWithin(path);
      };
    }
  }

  WildcardWalk(IndexSpec spec, Part part) {
    this.traversal = spec.traversal();
    this.order = spec.order();
    this.collation = spec.collation();
    this.descending = part.descending();
    this.below = PathText.of(part.path());
    this.areas =
        spec.scopes().stream()
            .map(scope -> new Area(PathText.of(scope.path()), scope.reach(), scope.included()))
            .toList();
    this.leaves =
        spec.scopes().stream().map(Scope::path).distinct().filter(spec::holdsAbsence).toList();
  }

  /** Returns the entries of a document, possibly with duplicates. */
  List<byte[]> entries(Document document) {
    entries = new ArrayList<>();
    buffer = document.buffer();
    path.clear();
    fields(document.offset(), 0);
    for (FieldPath leaf : leaves) {
      absence(leaf, document);
    }
    return entries;
  }

  private void fields(int offset, int depth) {
    Fields fields = cursor(depth, offset);
    long names = 0;
    while (fields.next()) {
      long name = 1L << hash(fields);
      if ((names & name) != 0 && isRepeated(fields, offset)) {
        continue;
      }
      names |= name;
      int mark = path.push(buffer, fields.nameOffset(), fields.nameLength());
      // paths above or beside the path of the part have no entries
      if (path.isWithin(below) || below.isWithin(path)) {
        switch (traversal) {
          case IMPLICIT -> implicit(fields.type(), fields.valueOffset(), depth + 1);
          case EXPLICIT -> explicit(fields.type(), fields.valueOffset(), depth + 1);
        }
      }
      path.pop(mark);
    }
  }

  private int hash(Fields field) {
    int hash = field.nameLength();
    for (int i = 0; i < field.nameLength(); i++) {
      hash = 31 * hash + buffer[field.nameOffset() + i];
    }
    return (hash ^ hash >>> 16) & 63;
  }

  /**
   * Returns whether an earlier field has the same name. In explicit indexes only the first one
   * counts.
   */
  private boolean isRepeated(Fields field, int offset) {
    if (traversal == Traversal.IMPLICIT) {
      return false;
    }
    int start = field.nameOffset();
    int end = start + field.nameLength();
    Fields earlier = new Fields(buffer, offset);
    while (earlier.next() && earlier.nameOffset() < start) {
      int from = earlier.nameOffset();
      if (Arrays.equals(buffer, from, from + earlier.nameLength(), buffer, start, end)) {
        return true;
      }
    }
    return false;
  }

  private void implicit(Type type, int offset, int depth) {
    switch (type) {
      case OBJECT -> object(offset, depth);
      case ARRAY -> implicitElements(offset, depth);
      default -> add(type, buffer, offset);
    }
  }

  private void object(int offset, int depth) {
    if (Document.trusted(buffer, offset).isEmpty()) {
      add(EMPTY_OBJECT);
    } else {
      fields(offset, depth);
    }
  }

  private void implicitElements(int offset, int depth) {
    Fields elements = cursor(depth, offset);
    if (!elements.next()) {
      add(Value.UNDEFINED);
      return;
    }
    do {
      if (elements.type() == Type.OBJECT) {
        object(elements.valueOffset(), depth + 1);
      } else {
        add(elements.type(), buffer, elements.valueOffset());
      }
    } while (elements.next());
  }

  private void explicit(Type type, int offset, int depth) {
    switch (type) {
      case OBJECT -> {
        add(EMPTY_OBJECT);
        fields(offset, depth);
      }
      case ARRAY -> {
        add(EMPTY_ARRAY);
        explicitElements(offset, depth);
      }
      case UNDEFINED -> {}
      default -> add(type, buffer, offset);
    }
  }

  private void explicitElements(int offset, int depth) {
    int mark = path.push(Scope.ELEMENTS);
    Fields elements = cursor(depth, offset);
    while (elements.next()) {
      explicit(elements.type(), elements.valueOffset(), depth + 1);
    }
    path.pop(mark);
  }

  private void absence(FieldPath leaf, Document document) {
    Value value = document.at(leaf);
    if (value.isMissing() || value.type() == Type.UNDEFINED) {
      entry.clear();
      PathText.of(leaf).writeTo(entry, order);
      finish(Value.MISSING);
    }
  }

  private void add(Type type, byte[] source, int offset) {
    add(Value.view(type, source, offset));
  }

  private void add(Value value) {
    if (path.isWithin(below) && held()) {
      entry.clear();
      path.writeTo(entry, order);
      finish(collation.fold(value));
    }
  }

  private void finish(Value value) {
    if (descending) {
      entry.appendDescending(value, order);
    } else {
      entry.append(value, order);
    }
    entries.add(entry.bytes());
  }

  private boolean held() {
    for (Area area : areas) {
      if (area.covers(path)) {
        return area.included();
      }
    }
    return true;
  }

  private Fields cursor(int depth, int offset) {
    if (depth == cursors.size()) {
      cursors.add(new Fields(buffer, offset));
    }
    Fields cursor = cursors.get(depth);
    cursor.reset(buffer, offset);
    return cursor;
  }
}
