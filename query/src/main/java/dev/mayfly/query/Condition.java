package dev.mayfly.query;

import dev.mayfly.query.geo.Region;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * One node of a compiled filter: a predicate on a value in a buffer.
 *
 * <p>The root tests the document; path nodes find values and test the node below. Nodes own the
 * cursors they move, so that a test allocates nothing; no node is called again before it has
 * returned. A missing value has no bytes: its offset is meaningless.
 */
sealed interface Condition {
  Ternary test(Type type, byte[] buffer, int offset);

  /** The same result for every value. */
  record Constant(Ternary truth) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      return truth;
    }
  }

  /** Conjunction: the least of several results; stops at the first false. */
  record Every(List<Condition> members, StepCounter stepCounter) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      Ternary truth = Ternary.TRUE;
      for (int i = 0; i < members.size() && truth != Ternary.FALSE; i++) {
        stepCounter.step();
        truth = truth.and(members.get(i).test(type, buffer, offset));
      }
      return truth;
    }
  }

  /** Disjunction: the greatest of several results; stops at the first true. */
  record Some(List<Condition> members, StepCounter stepCounter) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      Ternary truth = Ternary.FALSE;
      for (int i = 0; i < members.size() && truth != Ternary.TRUE; i++) {
        stepCounter.step();
        truth = truth.or(members.get(i).test(type, buffer, offset));
      }
      return truth;
    }
  }

  /** Negation; it does not set the matched array position. */
  record Opposite(Condition member, MatchedPosition place) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      int before = place.index();
      Ternary truth = member.test(type, buffer, offset).not();
      place.set(before);
      return truth;
    }
  }

  /** The member's result for the folded value. */
  record Folding(Collation collation, Condition member) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      return switch (type) {
        case STRING, SYMBOL, OBJECT, ARRAY -> {
          Value folded = collation.fold(Value.view(type, buffer, offset));
          yield member.test(folded.type(), folded.buffer(), folded.offset());
        }
        default -> member.test(type, buffer, offset);
      };
    }
  }

  /**
   * A string matches the pattern, or the value equals the pattern; other values have a fixed
   * result.
   */
  record Searched(TextPattern pattern, Value itself, Ternary otherwise) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      return switch (type) {
        case STRING, SYMBOL ->
            Ternary.of(pattern.found(Value.view(type, buffer, offset).asString()));
        case REGEX -> Ternary.of(itself.equals(Value.view(type, buffer, offset)));
        default -> otherwise;
      };
    }
  }

  /** An object or array is a location in a region; other values have a fixed result. */
  record Lies(Region region, Ternary otherwise) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      return switch (type) {
        case OBJECT, ARRAY -> Ternary.of(region.holds(Value.view(type, buffer, offset)));
        default -> otherwise;
      };
    }
  }

  /** A number has a remainder; other values have a fixed result. */
  record Remains(long divisor, long remainder, Ternary otherwise) implements Condition {
    private static final double LIMIT = 0x1p63;

    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      if (!type.number()) {
        return otherwise;
      }
      Value value = Value.view(type, buffer, offset);
      boolean counts =
          switch (type) {
            case INT32, INT64 -> true;
            case DECIMAL128 -> value.isFinite() && isLong(value);
            default -> value.isFinite() && Math.abs(value.asDouble()) < LIMIT;
          };
      return Ternary.of(counts && value.asLong() % divisor == remainder);
    }

    /**
     * The nearest double of the largest long is beyond it: numbers close to it are compared
     * exactly.
     */
    private static boolean isLong(Value decimal) {
      return Math.abs(decimal.asDouble()) <= LIMIT
          && decimal.asDecimal().toBigInteger().bitLength() < Long.SIZE;
    }
  }

  /** Bits of an integer or binary match; other values have a fixed result. */
  record BitsAre(BitPredicate wanted, List<Integer> positions, Ternary otherwise)
      implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      if (type == Type.BINARY) {
        byte[] bytes = Value.view(type, buffer, offset).asBinary();
        return Ternary.of(holds(position -> isSet(bytes, position)));
      }
      if (!type.number()) {
        return otherwise;
      }
      Value value = Value.view(type, buffer, offset);
      long bits = value.asLong();
      boolean integer =
          type == Type.INT32
              || type == Type.INT64
              || (value.isFinite() && value.asDecimal().compareTo(BigDecimal.valueOf(bits)) == 0);
      return Ternary.of(integer && holds(position -> isSet(bits, position)));
    }

    private boolean holds(IntPredicate isSet) {
      for (int position : positions) {
        boolean asWanted = isSet.test(position) == wanted.wantsSet();
        if (asWanted != wanted.wantsAll()) {
          return asWanted;
        }
      }
      return wanted.wantsAll();
    }

    private static boolean isSet(long bits, int position) {
      return (bits >> Math.min(position, Long.SIZE - 1) & 1) != 0;
    }

    private static boolean isSet(byte[] bytes, int position) {
      int at = position >>> 3;
      return at < bytes.length && (bytes[at] >> (position & 7) & 1) != 0;
    }
  }

  /** A predicate on the whole document. */
  record Computed(Predicate<Document> predicate) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      return Ternary.of(predicate.test(Document.trusted(buffer, offset)));
    }
  }

  /** MongoDB's comparison within one type bracket. */
  record Bracketed(Operator operator, Operand operand) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      return Ternary.of(
          operand.comparable(type) && operator.holds(operand.compare(type, buffer, offset)));
    }
  }

  /** MongoDB's comparison with MinKey or MaxKey: all other values are on one side. */
  record Ends(Operator operator, Type end) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      if (type == end) {
        return Ternary.of(operator.holds(0));
      }
      return Ternary.of(operator.holds(end == Type.MIN_KEY ? 1 : -1));
    }
  }

  /** MongoDB's equality with null: null, missing or BSON's undefined. */
  record NullLike() implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      return Ternary.of(type == Type.NULL || type == Type.MISSING || type == Type.UNDEFINED);
    }
  }

  /** SQL equality: false for different types, undefined for undefined. */
  record Equal(Operand operand) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      if (type == Type.MISSING) {
        return Ternary.UNDEFINED;
      }
      return Ternary.of(operand.comparable(type) && operand.compare(type, buffer, offset) == 0);
    }
  }

  /** SQL order comparison: undefined unless both are scalars of one type. */
  record Ordered(Operator operator, Operand operand) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      if (!operand.comparable(type)) {
        return Ternary.UNDEFINED;
      }
      return Ternary.of(operator.holds(operand.compare(type, buffer, offset)));
    }
  }

  /** The member's result for a value; undefined for a missing one. */
  record IfPresent(Condition member) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      return type == Type.MISSING ? Ternary.UNDEFINED : member.test(type, buffer, offset);
    }
  }

  /** The value equals one of many constants: binary search. */
  final class Among implements Condition {
    private final Value[] sorted;
    private final Order order;

    /**
     * @param sorted constants in this order, none of them missing
     */
    Among(Value[] sorted, Order order) {
      this.sorted = sorted;
      this.order = order;
    }

    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      if (type == Type.MISSING) {
        return Ternary.FALSE;
      }
      int low = 0;
      int high = sorted.length - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        Value constant = sorted[middle];
        int sign =
            order.compare(
                type, buffer, offset, constant.type(), constant.buffer(), constant.offset());
        if (sign == 0) {
          return Ternary.TRUE;
        }
        if (sign < 0) {
          high = middle - 1;
        } else {
          low = middle + 1;
        }
      }
      return Ternary.FALSE;
    }
  }

  /** A value exists. */
  record Present() implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      return Ternary.of(type != Type.MISSING);
    }
  }

  /** The value has one of these types. */
  record Typed(Set<Type> types) implements Condition {
    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      return Ternary.of(types.contains(type));
    }
  }

  /** A string has a prefix; other values have a fixed result. */
  final class StartsWith implements Condition {
    private final byte[] prefix;
    private final Ternary otherwise;

    StartsWith(byte[] prefix, Ternary otherwise) {
      this.prefix = prefix;
      this.otherwise = otherwise;
    }

    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      if (type != Type.STRING && type != Type.SYMBOL) {
        return otherwise;
      }
      int text = offset + 4;
      // The length of a string includes its terminator.
      return Ternary.of(
          prefix.length < ReusableCursors.int32(buffer, offset)
              && Arrays.equals(prefix, 0, prefix.length, buffer, text, text + prefix.length));
    }
  }

  /** An array has a given size; other values have a fixed result. */
  final class Sized implements Condition {
    private final int size;
    private final Ternary otherwise;
    private final Fields elements = ReusableCursors.fresh();

    Sized(int size, Ternary otherwise) {
      this.size = size;
      this.otherwise = otherwise;
    }

    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      if (type != Type.ARRAY) {
        return otherwise;
      }
      elements.reset(buffer, offset);
      int count = 0;
      while (count <= size && elements.next()) {
        count++;
      }
      return Ternary.of(count == size);
    }
  }

  /** An array has an element that matches. */
  final class AnyElement implements Condition {
    private final Condition member;
    private final boolean scalars;
    private final MatchedPosition place;
    private final StepCounter stepCounter;
    private final Fields elements = ReusableCursors.fresh();

    /**
     * @param scalars whether to test scalar elements, too; objects and arrays are always tested
     */
    AnyElement(Condition member, boolean scalars, MatchedPosition place, StepCounter stepCounter) {
      this.member = member;
      this.scalars = scalars;
      this.place = place;
      this.stepCounter = stepCounter;
    }

    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      if (type != Type.ARRAY) {
        return Ternary.FALSE;
      }
      elements.reset(buffer, offset);
      for (int i = 0; elements.next(); i++) {
        stepCounter.step();
        if (isTested(elements.type())
            && member.test(elements.type(), buffer, elements.valueOffset()) == Ternary.TRUE) {
          place.set(i);
          return Ternary.TRUE;
        }
      }
      return Ternary.FALSE;
    }

    private boolean isTested(Type type) {
      return scalars || type == Type.OBJECT || type == Type.ARRAY;
    }
  }

  /** The member's result for the one value at an explicit path. */
  final class AtPath implements Condition {
    private final FieldPath path;
    private final Condition member;
    private final Fields fields = ReusableCursors.fresh();

    AtPath(FieldPath path, Condition member) {
      this.path = path;
      this.member = member;
    }

    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      Type found = type;
      int at = offset;
      for (int i = 0; i < path.length(); i++) {
        if (!enter(found, buffer, at, i)) {
          return member.test(Type.MISSING, buffer, 0);
        }
        found = fields.type();
        at = fields.valueOffset();
      }
      // SQL does not distinguish undefined and missing.
      return member.test(found == Type.UNDEFINED ? Type.MISSING : found, buffer, at);
    }

    private boolean enter(Type type, byte[] buffer, int offset, int step) {
      if (type == Type.OBJECT) {
        return ReusableCursors.find(fields, buffer, offset, path.stepUtf8(step));
      }
      return type == Type.ARRAY
          && path.index(step) >= 0
          && ReusableCursors.find(fields, buffer, offset, path.index(step));
    }
  }

  /**
   * True if the member is true for any value at a path that traverses arrays.
   *
   * <p>Paths are MongoDB's: a step into an array continues in each element that is an object and,
   * if the step is a number, also in the element at that index. A missing value is reported once
   * for each object without the next step, but not for array elements that are not objects. An
   * array at the end of the path is itself a value. If requested, so are its elements, except if
   * the last step was the index of that array in another.
   */
  final class AnyAtPath implements Condition {
    private final FieldPath path;
    private final Condition member;
    private final boolean fanOut;
    private final MatchedPosition place;
    private final StepCounter stepCounter;
    private final Fields fields = ReusableCursors.fresh();
    private final Fields[] arrays;

    AnyAtPath(
        FieldPath path,
        Condition member,
        boolean fanOut,
        MatchedPosition place,
        StepCounter stepCounter) {
      this.path = path;
      this.member = member;
      this.fanOut = fanOut;
      this.place = place;
      this.stepCounter = stepCounter;
      this.arrays = ReusableCursors.fresh(path.length() + 1);
    }

    @Override
    public Ternary test(Type type, byte[] buffer, int offset) {
      if (path.length() == 0) {
        return member.test(type, buffer, offset);
      }
      boolean fields = type == Type.OBJECT || type == Type.ARRAY;
      return Ternary.of(fields ? inObject(0, buffer, offset) : passes(Type.MISSING, buffer, 0));
    }

    private boolean inObject(int first, byte[] buffer, int offset) {
      int at = offset;
      for (int step = first; ; step++) {
        if (!ReusableCursors.find(fields, buffer, at, path.stepUtf8(step))) {
          return passes(Type.MISSING, buffer, 0);
        }
        Type type = fields.type();
        at = fields.valueOffset();
        if (step + 1 == path.length()) {
          return atEnd(type, buffer, at);
        }
        if (type == Type.ARRAY) {
          return inArray(step + 1, buffer, at);
        }
        if (type != Type.OBJECT) {
          return passes(Type.MISSING, buffer, 0);
        }
      }
    }

    private boolean inArray(int step, byte[] buffer, int offset) {
      Fields elements = arrays[step];
      elements.reset(buffer, offset);
      int wanted = path.index(step);
      for (int i = 0; elements.next(); i++) {
        stepCounter.step();
        Type type = elements.type();
        int at = elements.valueOffset();
        if (type == Type.OBJECT && inObject(step, buffer, at)) {
          // Set on the way out, so that the outermost of nested arrays wins.
          place.set(i);
          return true;
        }
        if (i == wanted && atPlace(step + 1, type, buffer, at)) {
          return true;
        }
      }
      return false;
    }

    private boolean atPlace(int step, Type type, byte[] buffer, int offset) {
      if (step == path.length()) {
        return passes(type, buffer, offset);
      }
      return type == Type.OBJECT
          ? inObject(step, buffer, offset)
          : type == Type.ARRAY && inArray(step, buffer, offset);
    }

    private boolean atEnd(Type type, byte[] buffer, int offset) {
      if (type == Type.ARRAY && fanOut) {
        Fields elements = arrays[path.length()];
        elements.reset(buffer, offset);
        for (int i = 0; elements.next(); i++) {
          stepCounter.step();
          if (passes(elements.type(), buffer, elements.valueOffset())) {
            place.set(i);
            return true;
          }
        }
      }
      return passes(type, buffer, offset);
    }

    private boolean passes(Type type, byte[] buffer, int offset) {
      return member.test(type, buffer, offset) == Ternary.TRUE;
    }
  }
}
