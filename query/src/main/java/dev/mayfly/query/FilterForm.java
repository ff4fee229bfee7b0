package dev.mayfly.query;

import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.geo.GeometryException;
import dev.mayfly.query.geo.Region;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Stored form of a filter: one document per node.
 *
 * <p>{@code is} names the node. Its parts are {@code members}, {@code member}, {@code path} (an
 * array of steps, since names may contain dots), {@code operator}, {@code value}, {@code values},
 * {@code present}, {@code types} (BSON type codes), {@code prefix}, {@code pattern}, {@code
 * options}, {@code divisor}, {@code remainder}, {@code test}, {@code positions}, {@code collation}
 * and {@code elements}. A missing value is left out.
 */
final class FilterForm {
  private FilterForm() {}

  static Document write(Filter filter) {
    DocumentWriter form = Document.writer();
    switch (filter) {
      case Filter.All _ -> form.put("is", "all");
      case Filter.None _ -> form.put("is", "none");
      case Filter.And(List<Filter> members) -> form.put("is", "and").put("members", forms(members));
      case Filter.Or(List<Filter> members) -> form.put("is", "or").put("members", forms(members));
      case Filter.Not(Filter member) -> form.put("is", "not").put("member", write(member));
      case Filter.Compare(FieldPath path, Operator operator, Value value) -> {
        at(form, "compare", path).put("operator", operator.name());
        if (!value.isMissing()) {
          form.put("value", value);
        }
      }
      case Filter.In(FieldPath path, List<Value> values) ->
          at(form, "in", path).put("values", Value.array(values));
      case Filter.Exists(FieldPath path, boolean present) ->
          at(form, "exists", path).put("present", present);
      case Filter.OfType(FieldPath path, Set<Type> types) ->
          at(form, "type", path).put("types", codes(types));
      case Filter.Prefix(FieldPath path, String prefix) ->
          at(form, "prefix", path).put("prefix", prefix);
      case Filter.Regex(FieldPath path, TextPattern pattern) ->
          at(form, "regex", path)
              .put("pattern", pattern.pattern())
              .put("options", pattern.options());
      case Filter.Mod(FieldPath path, long divisor, long remainder) ->
          at(form, "mod", path).put("divisor", divisor).put("remainder", remainder);
      case Filter.Bits(FieldPath path, BitPredicate test, List<Integer> positions) ->
          at(form, "bits", path)
              .put("test", test.name())
              .put("positions", Value.array(positions.stream().map(Value::of).toList()));
      case Filter.Collated(Collation collation, Filter leaf) ->
          form.put("is", "collated")
              .put("collation", collation.toDocument())
              .put("member", write(leaf));
      case Filter.Geo(FieldPath path, Region region) ->
          at(form, "geo", path).put("region", region.form());
      case Filter.Expr _, Filter.Conforms _, Filter.Sampled _ ->
          throw new QueryException(
              Reason.BAD_FILTER, "not a filter to store", filter.getClass().getSimpleName());
      case Filter.Size(FieldPath path, int elements) ->
          at(form, "size", path).put("elements", elements);
      case Filter.ElementMatch(FieldPath path, Filter member) ->
          at(form, "element", path).put("member", write(member));
    }
    return form.build();
  }

  static Filter read(Document form) {
    String is = text(form, "is");
    return switch (is) {
      case "all" -> Filter.all();
      case "none" -> Filter.none();
      case "and" -> new Filter.And(list(form, "members", FilterForm::node));
      case "or" -> new Filter.Or(list(form, "members", FilterForm::node));
      case "not" -> new Filter.Not(node(form.field("member")));
      case "compare" -> new Filter.Compare(path(form), operator(form), form.field("value"));
      case "in" -> new Filter.In(path(form), list(form, "values", value -> value));
      case "exists" -> new Filter.Exists(path(form), flag(form, "present"));
      case "type" ->
          new Filter.OfType(path(form), Set.copyOf(list(form, "types", FilterForm::type)));
      case "prefix" -> new Filter.Prefix(path(form), text(form, "prefix"));
      case "regex" ->
          new Filter.Regex(
              path(form), TextPattern.of(text(form, "pattern"), text(form, "options")));
      case "mod" -> new Filter.Mod(path(form), whole(form, "divisor"), whole(form, "remainder"));
      case "bits" ->
          new Filter.Bits(path(form), bitTest(form), list(form, "positions", FilterForm::position));
      case "collated" ->
          new Filter.Collated(
              Collation.of(checked(form.field("collation"), Type.OBJECT, "collation").asDocument()),
              node(form.field("member")));
      case "size" -> new Filter.Size(path(form), number(form, "elements"));
      case "geo" -> new Filter.Geo(path(form), region(form));
      case "element" -> new Filter.ElementMatch(path(form), node(form.field("member")));
      default -> throw bad("is");
    };
  }

  private static DocumentWriter at(DocumentWriter form, String is, FieldPath path) {
    form.put("is", is);
    List<Value> steps = new ArrayList<>();
    for (int i = 0; i < path.length(); i++) {
      steps.add(Value.of(path.step(i)));
    }
    return form.put("path", Value.array(steps));
  }

  private static Value forms(List<Filter> members) {
    return Value.array(members.stream().map(member -> Value.of(write(member))).toList());
  }

  /** Returns the codes in ascending order, so that equal filters have equal forms. */
  private static Value codes(Set<Type> types) {
    return Value.array(
        types.stream().map(type -> type.code() & 0xFF).sorted().map(Value::of).toList());
  }

  private static Filter node(Value value) {
    return read(checked(value, Type.OBJECT, "member").asDocument());
  }

  private static FieldPath path(Document form) {
    return FieldPath.of(list(form, "path", step -> checked(step, Type.STRING, "path").asString()));
  }

  private static Operator operator(Document form) {
    String name = text(form, "operator");
    for (Operator operator : Operator.values()) {
      if (operator.name().equals(name)) {
        return operator;
      }
    }
    throw bad("operator");
  }

  private static Region region(Document form) {
    try {
      return Region.of(checked(form.field("region"), Type.OBJECT, "region").asDocument());
    } catch (GeometryException _) {
      throw bad("region");
    }
  }

  private static BitPredicate bitTest(Document form) {
    String name = text(form, "test");
    for (BitPredicate test : BitPredicate.values()) {
      if (test.name().equals(name)) {
        return test;
      }
    }
    throw bad("test");
  }

  private static int position(Value value) {
    return checked(value, Type.INT32, "positions").asInt();
  }

  private static Type type(Value code) {
    int wanted = checked(code, Type.INT32, "types").asInt();
    for (Type type : Type.values()) {
      if ((type.code() & 0xFF) == wanted) {
        return type;
      }
    }
    throw bad("types");
  }

  private static <T> List<T> list(Document form, String name, Function<Value, T> element) {
    Fields elements = checked(form.field(name), Type.ARRAY, name).asDocument().fields();
    List<T> read = new ArrayList<>();
    while (elements.next()) {
      read.add(element.apply(elements.value()));
    }
    return read;
  }

  private static String text(Document form, String name) {
    return checked(form.field(name), Type.STRING, name).asString();
  }

  private static int number(Document form, String name) {
    return checked(form.field(name), Type.INT32, name).asInt();
  }

  private static long whole(Document form, String name) {
    return checked(form.field(name), Type.INT64, name).asLong();
  }

  private static boolean flag(Document form, String name) {
    return checked(form.field(name), Type.BOOLEAN, name).asBoolean();
  }

  private static Value checked(Value value, Type type, String name) {
    if (value.type() != type) {
      throw bad(name);
    }
    return value;
  }

  private static QueryException bad(String name) {
    return new QueryException(Reason.BAD_FILTER, "not the stored form of a filter", name);
  }
}
