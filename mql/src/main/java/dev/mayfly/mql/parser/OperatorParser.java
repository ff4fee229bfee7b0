package dev.mayfly.mql.parser;

import static dev.mayfly.mql.parser.FilterParser.bad;

import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.query.BitPredicate;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parser of the operators of one field in a query document. */
final class OperatorParser {
  private static final FieldPath ELEMENT = FieldPath.of(List.of());
  private static final Set<String> LOGIC = Set.of("$and", "$or", "$nor", "$where");
  private static final double INTEGERS = 0x1p63;

  private final FilterParser documents;
  private final Collation collation;
  private int nears;

  OperatorParser(FilterParser documents, Collation collation) {
    this.documents = documents;
    this.collation = collation;
  }

  /** The value at the path equals the constant. */
  Filter equal(FieldPath path, Value value) {
    return Filter.collated(collation, Filter.equal(path, value));
  }

  /** All operators of the document match at the path. */
  Filter all(FieldPath path, Document operators) {
    List<Filter> members = new ArrayList<>(2);
    Fields fields = operators.fields();
    while (fields.next()) {
      members.add(one(path, fields.name(), fields.value(), operators));
    }
    return members.size() == 1 ? members.getFirst() : Filter.and(members);
  }

  private Filter one(FieldPath path, String name, Value value, Document context) {
    return switch (name) {
      case "$eq" -> equal(path, value);
      case "$ne" -> unequal(path, value);
      case "$gt" -> ordered(path, Operator.GT, value);
      case "$gte" -> ordered(path, Operator.GTE, value);
      case "$lt" -> ordered(path, Operator.LT, value);
      case "$lte" -> ordered(path, Operator.LTE, value);
      case "$in" -> in(path, name, value);
      case "$nin" -> new Filter.Not(in(path, name, value));
      case "$not" -> new Filter.Not(negated(path, value));
      case "$exists" -> new Filter.Exists(path, Truthiness.truthy(value));
      case "$type" -> new Filter.OfType(path, TypeSets.parse(path.toString(), value));
      case "$regex" -> new Filter.Regex(path, Patterns.inOperators(context));
      case "$options" -> options(context);
      case "$mod" -> mod(path, value);
      case "$size" -> size(path, name, value);
      case "$all" -> every(path, value);
      case "$elemMatch" -> element(path, value);
      case "$bitsAllSet" -> bits(path, BitPredicate.ALL_SET, name, value);
      case "$bitsAllClear" -> bits(path, BitPredicate.ALL_CLEAR, name, value);
      case "$bitsAnySet" -> bits(path, BitPredicate.ANY_SET, name, value);
      case "$bitsAnyClear" -> bits(path, BitPredicate.ANY_CLEAR, name, value);
      case "$geoWithin", "$within" -> GeoSyntax.within(path, name, value);
      case "$geoIntersects" -> GeoSyntax.intersects(path, name, value);
      case "$near", "$nearSphere", "$geoNear" -> near(path, name, value, context);
      case "$maxDistance", "$minDistance" -> GeoSyntax.distance(name, context);
      case "$where" -> throw bad("$where cannot be applied to a field");
      default -> throw bad("unknown operator: " + name);
    };
  }

  private Filter near(FieldPath path, String name, Value value, Document context) {
    nears++;
    return GeoSyntax.near(path, name, value, context);
  }

  /** Returns the number of conditions that order by distance. */
  int nears() {
    return nears;
  }

  private Filter unequal(FieldPath path, Value value) {
    if (value.type() == Type.REGEX) {
      throw bad("Can't have regex as arg to $ne.");
    }
    return Filter.collated(collation, new Filter.Compare(path, Operator.NE, value));
  }

  private Filter ordered(FieldPath path, Operator operator, Value value) {
    if (value.type() == Type.REGEX) {
      throw bad("Can't have RegEx as arg to predicate over field '" + path + "'.");
    }
    return Filter.collated(collation, new Filter.Compare(path, operator, value));
  }

  /** Regular expressions among the members are matched; other members are compared. */
  private Filter in(FieldPath path, String name, Value value) {
    if (!value.isArray()) {
      throw bad(name + " needs an array");
    }
    List<Value> values = new ArrayList<>();
    List<Filter> members = new ArrayList<>();
    Fields elements = value.asDocument().fields();
    while (elements.next()) {
      Value element = elements.value();
      if (FilterParser.isOperators(element, false)) {
        throw bad("cannot nest $ under " + name);
      }
      if (element.type() == Type.REGEX) {
        members.add(new Filter.Regex(path, Patterns.literal(element)));
      } else {
        values.add(element);
      }
    }
    Filter in = Filter.collated(collation, new Filter.In(path, values));
    if (members.isEmpty()) {
      return in;
    }
    members.addFirst(in);
    return new Filter.Or(members);
  }

  private Filter negated(FieldPath path, Value value) {
    if (value.type() == Type.REGEX) {
      return new Filter.Regex(path, Patterns.literal(value));
    }
    if (!value.isDocument()) {
      throw bad("$not needs a regex or a document");
    }
    if (value.asDocument().isEmpty()) {
      throw bad("$not cannot be empty");
    }
    return all(path, value.asDocument());
  }

  private static Filter options(Document context) {
    if (context.field("$regex").isMissing()) {
      throw bad("$options needs a $regex");
    }
    return Filter.all();
  }

  private static Filter mod(FieldPath path, Value value) {
    if (!value.isArray()) {
      throw bad("malformed mod, needs to be an array");
    }
    Fields elements = value.asDocument().fields();
    long divisor = modPart(elements, "divisor");
    long remainder = modPart(elements, "remainder");
    if (elements.next()) {
      throw bad("malformed mod, too many elements");
    }
    if (divisor == 0) {
      throw bad("divisor cannot be 0");
    }
    return new Filter.Mod(path, divisor, remainder);
  }

  private static long modPart(Fields elements, String part) {
    if (!elements.next()) {
      throw bad("malformed mod, not enough elements");
    }
    Value value = elements.value();
    if (!value.isNumber()) {
      throw bad("malformed mod, " + part + " not a number");
    }
    String context = "malformed mod, " + part + " value is invalid :: caused by :: ";
    if (!value.isFinite()) {
      throw bad(context + "Unable to coerce NaN/Inf to integral type");
    }
    if (Math.abs(value.asDouble()) >= INTEGERS && value.type() != Type.INT64) {
      throw bad(context + "Out of bounds coercing to integral value");
    }
    return value.asLong();
  }

  private static Filter size(FieldPath path, String name, Value value) {
    return new Filter.Size(
        path, Integers.small(name, value, ErrorCode.BAD_VALUE, "Failed to parse $size. "));
  }

  private Filter every(FieldPath path, Value value) {
    if (!value.isArray()) {
      throw bad("$all needs an array");
    }
    List<Filter> members = new ArrayList<>();
    Fields elements = value.asDocument().fields();
    boolean byElement = false;
    while (elements.next()) {
      Value element = elements.value();
      boolean match = isElementMatch(element);
      byElement = members.isEmpty() ? match : byElement;
      if (byElement != match && byElement) {
        throw bad("$all/$elemMatch has to be consistent");
      }
      members.add(byElement ? element(path, first(element)) : member(path, element));
    }
    return members.isEmpty() ? Filter.none() : Filter.and(members);
  }

  private Filter member(FieldPath path, Value element) {
    if (element.type() == Type.REGEX) {
      return new Filter.Regex(path, Patterns.literal(element));
    }
    if (FilterParser.isOperators(element, false)) {
      throw bad("no $ expressions in $all");
    }
    return equal(path, element);
  }

  private static boolean isElementMatch(Value value) {
    if (!value.isDocument()) {
      return false;
    }
    Fields fields = value.asDocument().fields();
    return fields.next() && fields.named("$elemMatch");
  }

  private static Value first(Value object) {
    Fields fields = object.asDocument().fields();
    fields.next();
    return fields.value();
  }

  /**
   * Operators apply to the element itself; fields and logical operators to the element's fields.
   */
  private Filter element(FieldPath path, Value value) {
    if (!value.isDocument()) {
      throw bad("$elemMatch needs an Object");
    }
    Document syntax = value.asDocument();
    if (!FilterParser.isOperators(value, true) || LOGIC.contains(firstName(syntax))) {
      return new Filter.ElementMatch(path, documents.document(syntax, FilterParser.Level.MEMBER));
    }
    return new Filter.ElementMatch(path, all(ELEMENT, syntax));
  }

  private static String firstName(Document document) {
    Fields fields = document.fields();
    return fields.next() ? fields.name() : "";
  }

  private static Filter bits(FieldPath path, BitPredicate test, String name, Value value) {
    List<Integer> positions;
    if (value.isArray()) {
      positions = positions(value);
    } else if (value.isNumber()) {
      positions = positions(Integers.nonNegative(name, value, ErrorCode.FAILED_TO_PARSE, ""));
    } else if (value.type() == Type.BINARY) {
      positions = positions(value.asBinary());
    } else {
      throw bad(
          path
              + " takes an Array, a number, or a BinData but received: "
              + ShellText.field(name, value));
    }
    return new Filter.Bits(path, test, positions);
  }

  private static List<Integer> positions(Value array) {
    List<Integer> positions = new ArrayList<>();
    Fields elements = array.asDocument().fields();
    while (elements.next()) {
      positions.add(
          Integers.small(
              elements.name(),
              elements.value(),
              ErrorCode.BAD_VALUE,
              "Failed to parse bit position. "));
    }
    return positions;
  }

  private static List<Integer> positions(long mask) {
    List<Integer> positions = new ArrayList<>();
    for (long rest = mask; rest != 0; rest &= rest - 1) {
      positions.add(Long.numberOfTrailingZeros(rest));
    }
    return positions;
  }

  private static List<Integer> positions(byte[] mask) {
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < mask.length * Byte.SIZE; i++) {
      if ((mask[i >>> 3] >> (i & 7) & 1) != 0) {
        positions.add(i);
      }
    }
    return positions;
  }
}
