package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.RootPath;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.VariablePath;
import dev.mayfly.query.Collation;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Variables in scope while an operation is parsed: maps names to slots.
 *
 * <p>Contains NOW, CLUSTER_TIME, USER_ROLES, ROOT, CURRENT, REMOVE and the variables of {@code
 * let}. Immutable. Instances that derive from one another share the count of slots, so that one
 * {@link Scope} holds the variables of the whole operation.
 */
public final class Variables {
  private static final FieldPath WHOLE = FieldPath.of(List.of());
  private static final String CURRENT = "CURRENT";

  /** What a name refers to. */
  private sealed interface Meaning {
    record Constant(Value value) implements Meaning {}

    record Slot(int number) implements Meaning {}

    record Root() implements Meaning {}
  }

  /** Counts the slots of one operation and collects the metadata it reads. */
  private static final class Frame {
    private int slots;
    private Set<String> metadata = Set.of();
  }

  /** Names with a meaning independent of time. */
  private static final Map<String, Meaning> LASTING =
      Map.of(
          "ROOT",
          new Meaning.Root(),
          CURRENT,
          new Meaning.Root(),
          "REMOVE",
          new Meaning.Constant(Value.MISSING),
          "USER_ROLES",
          new Meaning.Constant(Value.array(List.of())));

  /** Names of metadata in error messages. */
  private static final Map<String, String> METADATA =
      Map.of(
          "textScore", "text score",
          "geoNearDistance", "$geoNear distance",
          "geoNearPoint", "$geoNear point",
          "sortKey", "sort key",
          "recordId", "record ID",
          "indexKey", "index key",
          "randVal", "rand val",
          "searchScore", "$search score",
          "searchHighlights", "$search highlights",
          "vectorSearchScore", "$vectorSearch score");

  private final long now;
  private final Map<String, Meaning> meanings;
  private final Frame frame;
  private final Collation collation;

  private Variables(long now, Map<String, Meaning> meanings, Frame frame, Collation collation) {
    this.now = now;
    this.meanings = meanings;
    this.frame = frame;
    this.collation = collation;
  }

  /** Returns the variables of every operation. */
  public static Variables none(long nowMillis) {
    return new Variables(nowMillis, LASTING, new Frame(), Collation.SIMPLE);
  }

  /**
   * Returns these and the variables of a command's {@code let}, whose expressions read no document.
   */
  public Variables with(Document let) {
    Variables more = this;
    Fields each = let.fields();
    while (each.next()) {
      requireUserName(each.name());
      Expression value = ExpressionParser.parse(each.value(), this);
      if (!value.constant() && !value.reads().equals(RootFields.NONE)) {
        throw new CommandException(
            ErrorCode.location(4890500),
            "Command let Expression tried to access a field, but this is not allowed because"
                + " Command let expressions run before the query examines any documents.");
      }
      more = more.constant(each.name(), value.evaluate(Scope.of(0)));
    }
    return more;
  }

  /** Returns these and a name with a constant value. */
  public Variables constant(String name, Value value) {
    return and(name, new Meaning.Constant(value));
  }

  /** Returns these and a name with a slot of its own, see {@link #slot}. */
  public Variables child(String name) {
    return and(name, new Meaning.Slot(frame.slots++));
  }

  /** Returns these with another collation. */
  public Variables collated(Collation other) {
    if (other.equals(collation)) {
      return this;
    }
    return new Variables(now, meanings, frame, other);
  }

  /** Returns the collation by which expressions compare strings. */
  public Collation collation() {
    return collation;
  }

  /** Returns the order by which expressions compare values. */
  public Comparator<Value> order() {
    return collation.simple()
        ? Order.MONGO
        : (a, b) -> Order.MONGO.compare(collation.fold(a), collation.fold(b));
  }

  /** Returns the slot of a variable that {@link #child} declared. */
  public int slot(String name) {
    if (meanings.get(name) instanceof Meaning.Slot(int number)) {
      return number;
    }
    throw new IllegalArgumentException("not a variable with a slot: " + name);
  }

  /** Returns the expression for a variable and the path after it. */
  Expression expression(String name, FieldPath path) {
    return switch (meaning(name)) {
      case Meaning.Root _ -> new RootPath(path);
      case Meaning.Slot(int number) -> new VariablePath(number, path);
      case Meaning.Constant(Value value) when path.length() == 0 -> new Literal(value);
      case Meaning.Constant(Value value) -> ofConstant(value, path);
    };
  }

  private Meaning meaning(String name) {
    Meaning meaning = meanings.get(name);
    if (meaning != null) {
      return meaning;
    }
    return switch (name) {
      case "NOW" -> new Meaning.Constant(Value.date(now));
      case "CLUSTER_TIME" ->
          new Meaning.Constant(Value.timestamp(Math.floorDiv(now, 1_000L) << 32 | 1));
      default ->
          throw new CommandException(
              ErrorCode.location(17276), "Use of undefined variable: " + name);
    };
  }

  /** Returns the expression for a field path. */
  Expression field(FieldPath path) {
    return expression(CURRENT, path);
  }

  /** Returns the expression for the document that paths start from. */
  Expression current() {
    return expression(CURRENT, WHOLE);
  }

  /** Records that an expression reads this metadata. */
  void readsMetadata(String metadata) {
    Set<String> more = new LinkedHashSet<>(frame.metadata);
    more.add(metadata);
    frame.metadata = more;
  }

  /** Returns the metadata that the expressions parsed so far read. */
  public Set<String> metadata() {
    return Set.copyOf(frame.metadata);
  }

  /**
   * Rejects expressions that read other metadata.
   *
   * @throws CommandException 40218
   */
  public void refuseMetadataBut(Set<String> known) {
    for (String name : frame.metadata) {
      if (!known.contains(name)) {
        throw new CommandException(
            ErrorCode.location(40218),
            "query requires "
                + METADATA.getOrDefault(name, name)
                + " metadata, but it is not available");
      }
    }
  }

  /** Returns a scope with a slot for every variable declared so far; call it after parsing. */
  public Scope scope() {
    return Scope.of(frame.slots);
  }

  /** Rejects names that users may not give to variables. */
  public static void requireUserName(String name) {
    if (name.isEmpty()) {
      throw new CommandException(ErrorCode.FAILED_TO_PARSE, "empty variable names are not allowed");
    }
    char first = name.charAt(0);
    boolean allowed = (first >= 'a' && first <= 'z') || first >= 0x80 || name.equals(CURRENT);
    if (!allowed) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "'" + name + "' starts with an invalid character for a user variable name");
    }
    for (int i = 1; i < name.length(); i++) {
      requireUserCharacter(name, name.charAt(i));
    }
  }

  private static void requireUserCharacter(String name, char c) {
    boolean allowed =
        (c >= 'a' && c <= 'z')
            || (c >= 'A' && c <= 'Z')
            || (c >= '0' && c <= '9')
            || c == '_'
            || c >= 0x80;
    if (!allowed) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "'" + name + "' contains an invalid character for a variable name: '" + c + "'");
    }
  }

  private static Expression ofConstant(Value value, FieldPath path) {
    Scope scope = Scope.of(1);
    scope.variable(0, value);
    return new Literal(new VariablePath(0, path).evaluate(scope));
  }

  private Variables and(String name, Meaning meaning) {
    Map<String, Meaning> more = new HashMap<>(meanings);
    more.put(name, meaning);
    return new Variables(now, more, frame, collation);
  }
}
