package dev.mayfly.query;

import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Arrays;
import java.util.List;

/**
 * Tuples of values at several paths of one document, with arrays expanded.
 *
 * <p>MongoDB's index keys and sort keys are such tuples. Paths advance together; where some are at
 * an array, there is a tuple for each element, and all of them enter the same element. Paths at
 * different arrays are an error (parallel arrays): the number of tuples would be a product. An
 * array inside an array is one value. An empty array is {@code UNDEFINED} for a path that ends at
 * it; a path that cannot continue is {@code MISSING}. A step that is a number selects that array
 * index and does not expand.
 *
 * <p>Keeps its state from document to document: belongs to one thread at a time.
 */
public final class Expansion {
  private static final int DONE = Integer.MAX_VALUE;
  private static final int NO_ARRAY = -1;

  private final FieldPath[] paths;
  private final Level[] levels;
  private final Fields fields = ReusableCursors.fresh();
  private final Fields probe = ReusableCursors.fresh();
  private byte[] buffer = Document.EMPTY.buffer();
  private Level current;
  private long arrays;

  /** Positions of all paths at one depth of nested arrays. */
  private static final class Level {
    final Type[] types;
    final int[] offsets;
    final int[] steps;
    final Fields elements = ReusableCursors.fresh();

    Level(int paths) {
      types = new Type[paths];
      offsets = new int[paths];
      steps = new int[paths];
      Arrays.fill(types, Type.MISSING);
    }

    void stand(int path, Type type, int offset, int step) {
      types[path] = type;
      offsets[path] = offset;
      steps[path] = step;
    }

    boolean atArray(int path) {
      return steps[path] != DONE && types[path] == Type.ARRAY;
    }
  }

  /** Receives the tuples of a document. */
  @FunctionalInterface
  public interface Sink {
    /** Receives the current tuple, to be read from the expansion before this returns. */
    void tuple(Expansion tuple);
  }

  /** Creates an expansion of at most 64 paths. */
  public Expansion(List<FieldPath> paths) {
    if (paths.size() > Long.SIZE) {
      throw new IllegalArgumentException("too many paths");
    }
    this.paths = paths.toArray(FieldPath[]::new);
    // Between two arrays a path takes a step, and the last array may be at its end.
    int longest = paths.stream().mapToInt(FieldPath::length).max().orElse(0);
    this.levels = new Level[longest + 2];
    Arrays.setAll(levels, _ -> new Level(paths.size()));
    this.current = levels[0];
  }

  /**
   * Passes each tuple of the document to the sink, possibly one more than once.
   *
   * @return a bit for each path that met an array or BSON's undefined, which has the same key as
   *     the empty array: the path then has not one plain value
   * @throws QueryException PARALLEL_ARRAYS or AMBIGUOUS_FIELD_NAME
   */
  public long expand(Document document, Sink sink) {
    buffer = document.buffer();
    arrays = 0;
    for (int i = 0; i < paths.length; i++) {
      levels[0].stand(i, Type.OBJECT, document.offset(), 0);
    }
    expand(0, sink);
    return arrays;
  }

  /** Returns the number of paths. */
  public int size() {
    return paths.length;
  }

  /** Returns the type of a path's value in the current tuple. */
  public Type type(int path) {
    return current.types[path];
  }

  /** Returns the offset of a path's value in the {@link #buffer}. */
  public int offset(int path) {
    return current.offsets[path];
  }

  /** Returns the bytes of the document. */
  public byte[] buffer() {
    return buffer;
  }

  /** Returns a path's value in the current tuple. */
  public Value value(int path) {
    return Value.view(type(path), buffer, offset(path));
  }

  private void expand(int depth, Sink sink) {
    Level level = levels[depth];
    int array = walk(level);
    if (array == NO_ARRAY) {
      current = level;
      sink.tuple(this);
      return;
    }
    level.elements.reset(buffer, array);
    if (!level.elements.next()) {
      leaveEmpty(level);
      expand(depth, sink);
      return;
    }
    do {
      enter(level, levels[depth + 1]);
      expand(depth + 1, sink);
    } while (level.elements.next());
  }

  /** Advances every path to its end or to an array, and returns the position of that one array. */
  private int walk(Level level) {
    int array = NO_ARRAY;
    for (int i = 0; i < paths.length; i++) {
      walk(level, i);
      if (level.atArray(i)) {
        if (array != NO_ARRAY && array != level.offsets[i]) {
          throw new QueryException(
              Reason.PARALLEL_ARRAYS, "paths lead into different arrays", paths[i].toString());
        }
        array = level.offsets[i];
      }
      if (level.atArray(i) || level.types[i] == Type.UNDEFINED) {
        arrays |= 1L << i;
      }
    }
    return array;
  }

  private void walk(Level level, int i) {
    FieldPath path = paths[i];
    while (level.steps[i] < path.length()) {
      int step = level.steps[i];
      if (level.types[i] == Type.ARRAY) {
        if (path.index(step) < 0) {
          return;
        }
        arrays |= 1L << i;
        walkToPlace(level, i, step);
      } else if (level.types[i] == Type.OBJECT
          && ReusableCursors.find(fields, buffer, level.offsets[i], path.stepUtf8(step))) {
        level.stand(i, fields.type(), fields.valueOffset(), step + 1);
      } else {
        level.stand(i, Type.MISSING, 0, DONE);
      }
    }
  }

  /** An array at an index that ends the path is one value, like an array in an array. */
  private void walkToPlace(Level level, int i, int step) {
    FieldPath path = paths[i];
    refuseAmbiguous(path, step, level.offsets[i]);
    if (ReusableCursors.find(fields, buffer, level.offsets[i], path.index(step))) {
      int next = step + 1 == path.length() ? DONE : step + 1;
      level.stand(i, fields.type(), fields.valueOffset(), next);
    } else {
      level.stand(i, Type.MISSING, 0, DONE);
    }
  }

  private void refuseAmbiguous(FieldPath path, int step, int array) {
    probe.reset(buffer, array);
    while (probe.next()) {
      if (probe.type() == Type.OBJECT
          && ReusableCursors.find(fields, buffer, probe.valueOffset(), path.stepUtf8(step))) {
        throw new QueryException(
            Reason.AMBIGUOUS_FIELD_NAME, "a place in an array is also a name", path.toString());
      }
    }
  }

  /** Moves the paths at the array into its current element, and copies the others. */
  private void enter(Level level, Level next) {
    Fields element = level.elements;
    for (int i = 0; i < paths.length; i++) {
      int step = level.steps[i];
      if (!level.atArray(i)) {
        next.stand(i, level.types[i], level.offsets[i], step);
      } else if (step == paths[i].length()) {
        next.stand(i, element.type(), element.valueOffset(), DONE);
      } else if (element.type() == Type.OBJECT) {
        next.stand(i, Type.OBJECT, element.valueOffset(), step);
      } else {
        next.stand(i, Type.MISSING, 0, DONE);
      }
    }
  }

  private void leaveEmpty(Level level) {
    for (int i = 0; i < paths.length; i++) {
      if (level.atArray(i)) {
        boolean end = level.steps[i] == paths[i].length();
        level.stand(i, end ? Type.UNDEFINED : Type.MISSING, 0, DONE);
      }
    }
  }
}
