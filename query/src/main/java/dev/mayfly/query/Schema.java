package dev.mayfly.query;

import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * JSON Schema with BSON types.
 *
 * <p>A rule for one kind of value accepts all other kinds: a minimum length does not reject a
 * number. Arrays are plain values. Immutable.
 */
public sealed interface Schema {
  /** Returns whether the value, which is not missing, conforms. */
  boolean conforms(Value value);

  /** Accepts if all members do; always without members. */
  record All(List<Schema> members) implements Schema {
    public All {
      members = List.copyOf(members);
    }

    @Override
    public boolean conforms(Value value) {
      Interrupt.steps(1 + members.size());
      return members.stream().allMatch(member -> member.conforms(value));
    }
  }

  /** Accepts if at least one, or exactly one, of the members does. */
  record Some(List<Schema> members, boolean exactlyOne) implements Schema {
    public Some {
      members = List.copyOf(members);
    }

    @Override
    public boolean conforms(Value value) {
      Interrupt.steps(1 + members.size());
      long holding = members.stream().filter(member -> member.conforms(value)).count();
      return exactlyOne ? holding == 1 : holding > 0;
    }
  }

  /** Accepts if the member does not. */
  record Not(Schema member) implements Schema {
    @Override
    public boolean conforms(Value value) {
      return !member.conforms(value);
    }
  }

  /** The value has one of these types. */
  record OfType(Set<Type> types) implements Schema {
    public OfType {
      types = Set.copyOf(types);
    }

    @Override
    public boolean conforms(Value value) {
      return types.contains(value.type());
    }
  }

  /** The value equals one of these; the order of fields does not matter. */
  record OneOf(List<Value> values) implements Schema {
    public OneOf {
      values = List.copyOf(values);
    }

    @Override
    public boolean conforms(Value value) {
      Interrupt.steps(1 + values.size());
      return values.stream().anyMatch(one -> Order.COSMOS.compare(one, value) == 0);
    }
  }

  /** Bound of numbers. */
  record Bound(Operator operator, Value bound) implements Schema {
    @Override
    public boolean conforms(Value value) {
      return !value.isNumber() || within(value);
    }

    /** NaN is neither above nor below any number. */
    private boolean within(Value number) {
      int sign = Order.MONGO.compare(number, bound);
      return operator.holds(sign) && (sign == 0 || !(number.isNaN() || bound.isNaN()));
    }
  }

  /** A number is a multiple of this one. */
  record MultipleOf(BigDecimal unit) implements Schema {
    @Override
    public boolean conforms(Value value) {
      return !value.isNumber()
          || (value.isFinite() && value.asDecimal().remainder(unit).signum() == 0);
    }
  }

  /** Minimum and maximum length of strings, in characters. */
  record Length(long least, long most) implements Schema {
    @Override
    public boolean conforms(Value value) {
      if (value.type() != Type.STRING) {
        return true;
      }
      String text = value.asString();
      return within(text.codePointCount(0, text.length()), least, most);
    }
  }

  /** A string matches the pattern. */
  record Matching(TextPattern pattern) implements Schema {
    @Override
    public boolean conforms(Value value) {
      return value.type() != Type.STRING || pattern.found(value.asString());
    }
  }

  /** Minimum and maximum size of arrays. */
  record Items(long least, long most) implements Schema {
    @Override
    public boolean conforms(Value value) {
      return !value.isArray() || within(count(value), least, most);
    }
  }

  /** No two elements of an array are equal. */
  record UniqueItems() implements Schema {
    @Override
    public boolean conforms(Value value) {
      if (!value.isArray()) {
        return true;
      }
      Set<Value> seen = new TreeSet<>(Interrupt.counting(Order.COSMOS));
      Fields elements = value.asDocument().fields();
      while (elements.next()) {
        if (!seen.add(elements.value())) {
          return false;
        }
      }
      return true;
    }
  }

  /** Schemas of array elements by index, and of all further ones. */
  record Elements(List<Schema> places, Schema rest) implements Schema {
    public Elements {
      places = List.copyOf(places);
    }

    @Override
    public boolean conforms(Value value) {
      if (!value.isArray()) {
        return true;
      }
      Fields elements = value.asDocument().fields();
      for (int i = 0; elements.next(); i++) {
        Schema wanted = i < places.size() ? places.get(i) : rest;
        if (!wanted.conforms(elements.value())) {
          return false;
        }
      }
      return true;
    }
  }

  /** Required fields of objects. */
  record Required(List<String> names) implements Schema {
    public Required {
      names = List.copyOf(names);
    }

    @Override
    public boolean conforms(Value value) {
      return !value.isDocument() || names.stream().noneMatch(name -> isMissing(value, name));
    }

    private static boolean isMissing(Value object, String name) {
      Interrupt.steps(Interrupt.ofBytes(object.length()));
      return object.asDocument().field(name).isMissing();
    }
  }

  /** Minimum and maximum number of fields of objects. */
  record Size(long least, long most) implements Schema {
    @Override
    public boolean conforms(Value value) {
      return !value.isDocument() || within(count(value), least, most);
    }
  }

  /** Schemas of fields by name and by pattern, and of all others. */
  record Properties(Map<String, Schema> named, Map<TextPattern, Schema> patterns, Schema rest)
      implements Schema {
    public Properties {
      named = Map.copyOf(named);
      patterns = Map.copyOf(patterns);
    }

    @Override
    public boolean conforms(Value value) {
      if (!value.isDocument()) {
        return true;
      }
      Fields fields = value.asDocument().fields();
      while (fields.next()) {
        if (!holds(fields.name(), fields.value())) {
          return false;
        }
      }
      return true;
    }

    private boolean holds(String name, Value value) {
      Schema own = named.get(name);
      if (own != null && !own.conforms(value)) {
        return false;
      }
      boolean spokenOf = own != null;
      for (Map.Entry<TextPattern, Schema> pattern : patterns.entrySet()) {
        if (pattern.getKey().found(name)) {
          spokenOf = true;
          if (!pattern.getValue().conforms(value)) {
            return false;
          }
        }
      }
      return spokenOf || rest.conforms(value);
    }
  }

  /** An object with this field conforms to the schema. */
  record Dependent(String name, Schema then) implements Schema {
    @Override
    public boolean conforms(Value value) {
      return !value.isDocument()
          || value.asDocument().field(name).isMissing()
          || then.conforms(value);
    }
  }

  private static boolean within(long number, long least, long most) {
    return number >= least && number <= most;
  }

  private static long count(Value value) {
    Fields members = value.asDocument().fields();
    long count = 0;
    while (members.next()) {
      count++;
    }
    return count;
  }
}
