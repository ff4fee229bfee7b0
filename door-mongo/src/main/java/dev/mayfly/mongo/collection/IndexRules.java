package dev.mayfly.mongo.collection;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.ShellText;
import dev.mayfly.query.geo.Region;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/**
 * Validation of index specifications. The checks run in the order of MongoDB 8.0, so that the same
 * error is reported first.
 */
final class IndexRules {
  private static final Set<String> FLAGS =
      Set.of("unique", "sparse", "hidden", "background", "prepareUnique", "dropDups");
  private static final Set<String> OTHERS =
      Set.of(
          "key",
          "name",
          "v",
          "ns",
          "partialFilterExpression",
          "expireAfterSeconds",
          TtlFormat.FIELD,
          SlidingOption.FIELD,
          "collation",
          "wildcardProjection",
          "storageEngine",
          "weights",
          "default_language",
          "language_override",
          "textIndexVersion",
          "2dsphereIndexVersion",
          "bits",
          "min",
          "max");
  private static final Set<String> OF_ID = Set.of("key", "name", "v", "ns", "collation");
  private static final Set<String> DB_REF = Set.of("$ref", "$id", "$db");
  private static final int MAX_KEY_BYTES = 2048;
  private static final int MAX_FIELDS = 32;

  private final Document raw;

  private IndexRules(Document raw) {
    this.raw = raw;
  }

  /**
   * Checks everything that does not depend on the collection, except {@code expireAfterSeconds}.
   *
   * @throws CommandException with the code of the first check that fails
   */
  static void check(Document raw) {
    IndexRules rules = new IndexRules(raw);
    rules.fields();
    rules.name();
    rules.checkId();
  }

  private void fields() {
    Fields fields = raw.fields();
    while (fields.next()) {
      field(fields.name(), fields.value());
    }
    require(raw.field("key"), "key");
    require(raw.field("name"), "name");
  }

  private void require(Value value, String field) {
    if (value.isMissing()) {
      throw inSpec(
          ErrorCode.FAILED_TO_PARSE,
          "The '" + field + "' field is a required property of an index specification");
    }
  }

  private void field(String name, Value value) {
    if (FLAGS.contains(name)) {
      convertible(name, value);
      return;
    }
    if (!OTHERS.contains(name)) {
      throw inSpec(
          ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION,
          "The field '"
              + name
              + "' is not valid for an index specification. Specification: "
              + ShellText.of(raw));
    }
    switch (name) {
      case "key" -> key(typed(name, value, Type.OBJECT).asDocument());
      case "name", "default_language", "language_override" -> typed(name, value, Type.STRING);
      case TtlFormat.FIELD -> TtlFormat.of(typed(name, value, Type.STRING).asString());
      case SlidingOption.FIELD -> SlidingOption.of(value);
      case "v" -> version(value);
      case "partialFilterExpression" -> partial(typed(name, value, Type.OBJECT).asDocument());
      case "collation" -> collation(typed(name, value, Type.OBJECT).asDocument());
      case "wildcardProjection" -> projection(typed(name, value, Type.OBJECT).asDocument());
      default -> {
        // the others belong to index types without support, or are checked later
      }
    }
  }

  private Value typed(String name, Value value, Type type) {
    if (value.type() != type) {
      String wanted = type == Type.OBJECT ? "an object" : "a string";
      throw inSpec(
          ErrorCode.TYPE_MISMATCH,
          "The field '" + name + "' must be " + wanted + ", but got " + TypeNames.of(value.type()));
    }
    return value;
  }

  private void convertible(String name, Value value) {
    if (value.type() != Type.BOOLEAN && !value.isNumber()) {
      throw inSpec(
          ErrorCode.TYPE_MISMATCH,
          "The field '"
              + name
              + "' has value "
              + name
              + ": "
              + ShellText.of(value)
              + ", which is not convertible to bool");
    }
  }

  private void version(Value value) {
    if (!value.isNumber()) {
      throw inSpec(
          ErrorCode.TYPE_MISMATCH,
          "The field 'v' must be a number, but got " + TypeNames.of(value.type()));
    }
    double version = value.asDouble();
    if (version != Math.rint(version) || Math.abs(version) > Integer.MAX_VALUE) {
      throw inSpec(
          ErrorCode.BAD_VALUE,
          "Index version must be representable as a 32-bit integer, but got "
              + ShellText.of(value));
    }
    if (version != 1 && version != 2) {
      throw inSpec(
          ErrorCode.CANNOT_CREATE_INDEX,
          "Invalid index specification "
              + ShellText.of(raw)
              + "; cannot create an index with v="
              + (int) version);
    }
  }

  private void key(Document key) {
    if (key.length() > MAX_KEY_BYTES) {
      throw cannotCreate("Index key pattern too large.");
    }
    if (key.isEmpty()) {
      throw cannotCreate("Index keys cannot be empty.");
    }
    IndexKind kind = kind(key);
    int count = 0;
    int hashed = 0;
    Fields fields = key.fields();
    while (fields.next()) {
      keyField(key, kind, fields);
      hashed += kind == IndexKind.HASHED && fields.type() == Type.STRING ? 1 : 0;
      count++;
    }
    if (count > MAX_FIELDS) {
      throw new CommandException(ErrorCode.location(13103), "too many compound keys");
    }
    if (hashed > 1) {
      throw new CommandException(
          ErrorCode.location(31303),
          "A maximum of one index field is allowed to be hashed but found "
              + hashed
              + " for 'key' "
              + ShellText.of(key));
    }
  }

  private IndexKind kind(Document key) {
    return IndexKind.of(key).orElseThrow(() -> cannotCreate(unknownPlugin(key)));
  }

  private static String unknownPlugin(Document key) {
    Fields fields = key.fields();
    while (fields.next()) {
      if (fields.type() == Type.STRING) {
        return "Unknown index plugin '" + fields.value().asString() + "'";
      }
    }
    return "Unknown index plugin ''";
  }

  private void keyField(Document key, IndexKind kind, Fields field) {
    String name = field.name();
    Value value = field.value();
    boolean first = key.field(name).offset() == value.offset();
    if (!first) {
      throw inSpec(
          ErrorCode.BAD_VALUE,
          "The field '"
              + name
              + "' appears multiple times in the index key pattern "
              + ShellText.of(key));
    }
    keyValue(kind, value);
    if (name.isEmpty()) {
      throw cannotCreate("Index keys cannot be an empty field.");
    }
    if (IndexKind.isWildcard(name)) {
      wildcard(kind, name);
    } else {
      steps(List.of(name.split("\\.", -1)));
    }
  }

  private void keyValue(IndexKind kind, Value value) {
    if (value.type() == Type.STRING) {
      if (!value.asString().equals(kind.plugin())) {
        throw cannotCreate("Can't use more than one index plugin for a single index.");
      }
      return;
    }
    if (!value.isNumber()) {
      throw cannotCreate(
          "Values in v:2 index key pattern cannot be of type "
              + TypeNames.of(value.type())
              + ". Only numbers > 0, numbers < 0, and strings are allowed.");
    }
    if (value.isNaN()) {
      throw cannotCreate("Values in the index key pattern cannot be NaN.");
    }
    if (value.asDouble() == 0) {
      throw cannotCreate("Values in the index key pattern cannot be 0.");
    }
  }

  private void wildcard(IndexKind kind, String name) {
    if (kind != IndexKind.WILDCARD) {
      throw cannotCreate("A wildcard index cannot be of type '" + kind.plugin() + "': " + name);
    }
    String below = IndexKind.below(name);
    if (!below.isEmpty()) {
      steps(List.of(below.split("\\.", -1)));
    }
  }

  private void steps(List<String> steps) {
    for (int i = 0; i < steps.size(); i++) {
      String step = steps.get(i);
      if (step.isEmpty()) {
        throw cannotCreate("Index keys cannot contain an empty field.");
      }
      if (step.startsWith("$") && !(i > 0 && DB_REF.contains(step))) {
        throw cannotCreate("Index key contains an illegal field name: field name starts with '$'.");
      }
    }
  }

  private void partial(Document syntax) {
    if (!supportsPartial(Filters.parse(syntax))) {
      throw cannotCreate("Expression not supported in partial index: " + ShellText.of(syntax));
    }
  }

  /**
   * Whether a partial index supports the filter: equality, ranges, {@code $in}, {@code $exists:
   * true}, types, {@code $geoWithin}, {@code $geoIntersects}, and their combinations with {@code
   * $and} and {@code $or}.
   */
  private static boolean supportsPartial(Filter filter) {
    return switch (filter) {
      case Filter.All _ -> true;
      case Filter.And(List<Filter> members) ->
          members.stream().allMatch(IndexRules::supportsPartial);
      case Filter.Or(List<Filter> members) ->
          members.stream().allMatch(IndexRules::supportsPartial);
      case Filter.Compare(_, Operator operator, _) -> operator != Operator.NE;
      case Filter.Exists(_, boolean present) -> present;
      case Filter.In _, Filter.OfType _ -> true;
      case Filter.Geo(_, Region region) -> region.nearness().isEmpty();
      case Filter _ -> false;
    };
  }

  private void collation(Document syntax) {
    if (syntax.isEmpty()) {
      throw inSpec(ErrorCode.BAD_VALUE, "The field 'collation' cannot be an empty object.");
    }
  }

  private void projection(Document syntax) {
    if (syntax.isEmpty()) {
      throw inSpec(
          ErrorCode.FAILED_TO_PARSE, "The 'wildcardProjection' field can't be an empty object");
    }
    Value key = raw.field("key");
    boolean whole = key.type() == Type.OBJECT && !key.asDocument().field("$**").isMissing();
    if (!whole) {
      throw inSpec(
          ErrorCode.BAD_VALUE,
          "The field 'wildcardProjection' is only allowed in an 'wildcard' index");
    }
  }

  private void name() {
    String name = raw.field("name").asString();
    if (name.equals("*")) {
      throw new CommandException(ErrorCode.BAD_VALUE, "The index name '*' is not valid.");
    }
    if (name.indexOf('\0') >= 0) {
      throw cannotCreate("index name cannot contain NUL bytes");
    }
  }

  private void checkId() {
    Document key = raw.field("key").asDocument();
    boolean ofId = isIdPattern(key);
    if (!ofId && raw.field("name").asString().equals("_id_")) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The index name '_id_' is reserved for the _id index, which must have key pattern {_id:"
              + " 1}, found key: "
              + ShellText.of(key));
    }
    if (ofId) {
      idFields();
      if (key.field("_id").asDouble() != 1) {
        throw new CommandException(
            ErrorCode.BAD_VALUE,
            "The field 'key' for an _id index must be {_id: 1}, but got " + ShellText.of(key));
      }
    }
  }

  private static boolean isIdPattern(Document key) {
    Fields fields = key.fields();
    return fields.next()
        && fields.named("_id")
        && fields.value().isNumber()
        && Math.abs(fields.value().asDouble()) == 1
        && !fields.next();
  }

  private void idFields() {
    Fields fields = raw.fields();
    while (fields.next()) {
      if (!OF_ID.contains(fields.name())) {
        throw new CommandException(
            ErrorCode.INVALID_INDEX_SPECIFICATION_OPTION,
            "The field '"
                + fields.name()
                + "' is not valid for an _id index specification. Specification: "
                + ShellText.of(versioned(raw)));
      }
    }
  }

  /**
   * Checks the options of an index that does not exist yet.
   *
   * @throws CommandException CANNOT_CREATE_INDEX or location 16764
   */
  static void checkNew(Document raw, IndexForm form) {
    IndexRules rules = new IndexRules(versioned(raw));
    if (form.name().isEmpty()) {
      throw rules.cannotCreate("index name cannot be empty");
    }
    if (form.sparse() && !raw.field("partialFilterExpression").isMissing()) {
      throw rules.cannotCreate("cannot mix \"partialFilterExpression\" and \"sparse\" options");
    }
    rules.checkKind(form);
  }

  private void checkKind(IndexForm form) {
    switch (form.kind()) {
      case TEXT ->
          throw new CommandException(
              ErrorCode.CANNOT_CREATE_INDEX, "text indexes are not supported by this server yet");
      case HASHED -> {
        if (form.unique()) {
          throw new CommandException(
              ErrorCode.location(16764),
              "Currently hashed indexes cannot guarantee uniqueness. Use a regular index.");
        }
      }
      case WILDCARD -> checkWildcard(form);
      case ORDERED, SPHERE, PLANE -> {
        // no further checks
      }
    }
  }

  private void checkWildcard(IndexForm form) {
    Value version = raw.field("v");
    if (version.isNumber() && version.asDouble() < 2) {
      throw cannotCreate("Index type 'wildcard' is not supported with v=1");
    }
    if (form.expireAfterSeconds().isPresent()) {
      throw new CommandException(
          ErrorCode.CANNOT_CREATE_INDEX,
          "cannot make a TTL index :: caused by :: Index type 'wildcard' does not support the"
              + " 'expireAfterSeconds' option");
    }
    if (form.unique()) {
      throw cannotCreate("Index type 'wildcard' does not support the 'unique' option");
    }
    if (form.sparse()) {
      throw cannotCreate("Index type 'wildcard' does not support the 'sparse' option");
    }
  }

  /** Returns the specification with {@code v}, which is added at the end if it is missing. */
  static Document versioned(Document raw) {
    if (!raw.field("v").isMissing()) {
      return raw;
    }
    DocumentWriter versioned = Document.writer();
    versioned.putAll(raw);
    return versioned.put("v", 2).build();
  }

  private CommandException cannotCreate(String reason) {
    return inSpec(ErrorCode.CANNOT_CREATE_INDEX, reason);
  }

  private CommandException inSpec(ErrorCode code, String reason) {
    return new CommandException(
        code, "Error in specification " + ShellText.of(raw) + " :: caused by :: " + reason);
  }

  /** Whether a flag is true or a number other than 0. */
  static boolean truth(Value value) {
    return value.type() == Type.BOOLEAN
        ? value.asBoolean()
        : value.isNumber() && value.asDouble() != 0;
  }
}
