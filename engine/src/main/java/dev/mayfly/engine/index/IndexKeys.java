package dev.mayfly.engine.index;

import dev.mayfly.engine.index.IndexException.Reason;
import dev.mayfly.query.Expansion;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * Key extractor of one index.
 *
 * <p>A key is the concatenation of the components of its parts; those of descending parts are
 * inverted. A wildcard part has two components, path and value. A document without arrays has at
 * most one key, which is written directly into a buffer. Several keys are collected, sorted and
 * deduplicated.
 *
 * <p>Reuses buffers; used by one thread at a time.
 */
public final class IndexKeys {
  private static final List<byte[]> NO_WILDCARD = List.of(new byte[0]);

  private final IndexSpec spec;
  private final Matcher partial;
  private final boolean everything;
  private final boolean folds;
  private final List<WildcardWalk> wildcards;
  private final DerivedComponents derived;
  private final int[] fixed;
  private final long wildcardBits;
  private final Expansion expansion;
  private final Expansion.Sink tuples = this::takeTuple;
  private final Type[] types;
  private final int[] offsets;
  private final KeyWriter key = new KeyWriter();
  private final List<byte[]> keys = new ArrayList<>();
  private List<byte[]> wildcardEntries = NO_WILDCARD;
  private byte[] buffer = Document.EMPTY.buffer();
  private boolean singleKey;

  public IndexKeys(IndexSpec spec) {
    List<Part> parts = spec.parts();
    this.spec = spec;
    this.partial = spec.partial().matcher(spec.traversal().mode());
    this.everything = spec.partial().equals(Filter.all());
    this.folds = !spec.collation().simple();
    this.wildcards =
        parts.stream().filter(Part::manyPaths).map(part -> new WildcardWalk(spec, part)).toList();
    this.derived = new DerivedComponents(spec);
    this.fixed = places(parts, Part::plain);
    this.wildcardBits = Arrays.stream(places(parts, Part::manyPaths)).mapToLong(i -> 1L << i).sum();
    this.expansion =
        new Expansion(Arrays.stream(fixed).mapToObj(place -> parts.get(place).path()).toList());
    this.types = new Type[parts.size()];
    this.offsets = new int[parts.size()];
    Arrays.fill(types, Type.MISSING);
  }

  /**
   * Passes each key of a document to a sink once, in key order; none if the document is not
   * indexed.
   *
   * @return the multikey parts: a bit for each part with an array in the document, the first part
   *     at bit 0; always set for a wildcard with implicit traversal. {@link IndexMatch} needs the
   *     union over all documents.
   * @throws IndexException CANNOT_INDEX_PARALLEL_ARRAYS, AMBIGUOUS_FIELD_NAME or BAD_GEOMETRY,
   *     before any key
   */
  public long extract(Document document, KeySink sink) {
    if (!everything && !partial.matches(document)) {
      return 0;
    }
    if (spec.derived() && !derived.find(document)) {
      return 0;
    }
    keys.clear();
    singleKey = false;
    buffer = document.buffer();
    wildcardEntries = wildcards.isEmpty() ? NO_WILDCARD : wildcards.getFirst().entries(document);
    long arrays =
        switch (spec.traversal()) {
          case IMPLICIT -> implicit(document);
          case EXPLICIT -> explicit(document);
        };
    deliver(sink);
    return arrays | derived.several();
  }

  /**
   * Returns the values of one key of a document, by the paths of the parts; null for a missing
   * value.
   *
   * @param key ends with a key of {@link #extract}
   */
  public Document values(Document document, byte[] key) {
    List<FieldPath> paths = spec.parts().stream().map(Part::path).toList();
    List<Document> found = new ArrayList<>();
    if (spec.traversal() == Traversal.IMPLICIT && wildcards.isEmpty() && !spec.derived()) {
      IndexKeys single = new IndexKeys(spec);
      new Expansion(paths)
          .expand(
              document,
              tuple -> {
                single.keys.clear();
                single.singleKey = false;
                single.buffer = document.buffer();
                single.takeTuple(tuple);
                if (found.isEmpty() && endsWith(key, single.key)) {
                  found.add(values(paths, i -> tuple.value(i)));
                }
              });
    }
    return found.isEmpty() ? values(paths, i -> document.at(paths.get(i))) : found.getFirst();
  }

  private static Document values(List<FieldPath> paths, IntFunction<Value> value) {
    DocumentWriter values = Document.writer();
    for (int i = 0; i < paths.size(); i++) {
      Value found = value.apply(i);
      values.put(paths.get(i).toString(), found.isMissing() ? Value.NULL : found);
    }
    return values.build();
  }

  private static boolean endsWith(byte[] whole, KeyWriter end) {
    int start = whole.length - end.length();
    return start >= 0 && Arrays.equals(whole, start, whole.length, end.buffer(), 0, end.length());
  }

  private long implicit(Document document) {
    long met;
    try {
      met = expansion.expand(document, tuples);
    } catch (QueryException unfit) {
      throw new IndexException(reason(unfit.reason()), unfit);
    }
    long arrays = 0;
    for (int i = 0; i < fixed.length; i++) {
      arrays |= (met >>> i & 1) << fixed[i];
    }
    return arrays | wildcardBits;
  }

  private void takeTuple(Expansion tuple) {
    for (int i = 0; i < fixed.length; i++) {
      types[fixed[i]] = tuple.type(i);
      offsets[fixed[i]] = tuple.offset(i);
    }
    write();
  }

  private long explicit(Document document) {
    for (int place : fixed) {
      Value value = document.at(spec.parts().get(place).path());
      types[place] =
          switch (value.type()) {
            case OBJECT, ARRAY, UNDEFINED -> Type.MISSING;
            default -> value.type();
          };
      offsets[place] = value.offset();
    }
    write();
    return 0;
  }

  private void write() {
    if (spec.derived()) {
      derived.reset();
      do {
        writeEntries();
      } while (derived.advance());
    } else if (!spec.sparse() || !isAbsent()) {
      writeEntries();
    }
  }

  private void writeEntries() {
    for (byte[] entry : wildcardEntries) {
      if (singleKey) {
        keys.add(key.bytes());
      }
      write(entry);
      singleKey = keys.isEmpty();
      if (!singleKey) {
        keys.add(key.bytes());
      }
    }
  }

  private boolean isAbsent() {
    for (int place : fixed) {
      if (types[place] != Type.MISSING) {
        return false;
      }
    }
    return wildcards.isEmpty();
  }

  private void write(byte[] wildcardEntry) {
    key.clear();
    for (int i = 0; i < types.length; i++) {
      Part part = spec.parts().get(i);
      if (part.manyPaths()) {
        key.appendBytes(wildcardEntry);
      } else if (part.derived()) {
        key.append(derived.component(i), spec.order());
      } else if (part.descending()) {
        key.appendDescending(folded(i), spec.order());
      } else if (folds) {
        key.append(folded(i), spec.order());
      } else {
        key.append(written(types[i]), buffer, offsets[i], spec.order());
      }
    }
  }

  private Value folded(int part) {
    return spec.collation().fold(Value.view(written(types[part]), buffer, offsets[part]));
  }

  private Type written(Type type) {
    return type == Type.MISSING && spec.foldsMissing() ? Type.NULL : type;
  }

  private void deliver(KeySink sink) {
    if (singleKey) {
      sink.key(key.buffer(), key.length());
      return;
    }
    keys.sort(Arrays::compareUnsigned);
    byte[] last = null;
    for (byte[] next : keys) {
      if (!Arrays.equals(last, next)) {
        sink.key(next, next.length);
      }
      last = next;
    }
  }

  private static Reason reason(QueryException.Reason reason) {
    return switch (reason) {
      case PARALLEL_ARRAYS -> Reason.CANNOT_INDEX_PARALLEL_ARRAYS;
      case AMBIGUOUS_FIELD_NAME -> Reason.AMBIGUOUS_FIELD_NAME;
      // the others are failures of the partial filter
      case BAD_FILTER,
          BAD_PATTERN,
          PATTERN_TOO_COSTLY,
          BAD_COLLATION,
          WRONG_TYPE,
          BAD_VALUE,
          OVERFLOW,
          CONVERSION_FAILURE,
          LIMIT_EXCEEDED,
          PATH_NOT_VIABLE,
          IMMUTABLE_FIELD,
          BAD_NAME ->
          Reason.BAD_SPEC;
    };
  }

  private static int[] places(List<Part> parts, Predicate<Part> wanted) {
    int[] places = new int[parts.size()];
    int count = 0;
    for (int i = 0; i < places.length; i++) {
      if (wanted.test(parts.get(i))) {
        places[count++] = i;
      }
    }
    return Arrays.copyOf(places, count);
  }
}
