package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.pipeline.Pipeline;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Parser of {@code $out} and {@code $merge}. */
public final class WriteStages {
  private static final Set<String> MERGE_OPTIONS =
      Set.of("into", "on", "let", "whenMatched", "whenNotMatched");
  private static final Set<String> CHANGES =
      Set.of("$addFields", "$set", "$project", "$unset", "$replaceRoot", "$replaceWith");

  private WriteStages() {}

  static List<Stage> out(Value specification, Syntax syntax) {
    if (specification.type() != Type.STRING && !specification.isDocument()) {
      throw Syntax.failure(
          16990,
          "$out only supports a string or object argument, but found "
              + Syntax.typeOf(specification));
    }
    return List.of(new Stage.Out(target(specification, "$out")));
  }

  static List<Stage> merge(Value specification, Syntax syntax) {
    if (specification.type() == Type.STRING) {
      return List.of(
          new Stage.Merge(
              target(specification, "$merge"),
              List.of(FieldPath.of("_id")),
              new Stage.WhenMatched.Combine(),
              Stage.WhenNotMatched.INSERT));
    }
    Document options =
        Syntax.object(specification, 14, "$merge requires a string or object argument, but found ");
    Fields fields = options.fields();
    while (fields.next()) {
      if (!MERGE_OPTIONS.contains(fields.name())) {
        throw Syntax.failure(
            40415, "BSON field '$merge." + fields.name() + "' is an unknown field.");
      }
    }
    return List.of(merge(options, syntax));
  }

  private static Stage merge(Document options, Syntax syntax) {
    Value into = options.field("into");
    if (into.isMissing()) {
      throw Syntax.failure(40414, "BSON field '$merge.into' is missing but a required field");
    }
    if (into.type() != Type.STRING && !into.isDocument()) {
      throw Syntax.failure(
          51178,
          "$merge 'into' field  must be either a string or an object, but found "
              + Syntax.typeOf(into));
    }
    Stage.WhenNotMatched notMatched = notMatched(options.field("whenNotMatched"));
    Stage.WhenMatched matched = matched(options, syntax);
    requireTogether(matched, notMatched, options);
    return new Stage.Merge(target(into, "$merge"), on(options.field("on")), matched, notMatched);
  }

  private static Stage.WhenNotMatched notMatched(Value value) {
    if (value.isMissing()) {
      return Stage.WhenNotMatched.INSERT;
    }
    String word = Syntax.text(value, 14, "BSON field '$merge.whenNotMatched' is the wrong type ");
    return switch (word) {
      case "insert" -> Stage.WhenNotMatched.INSERT;
      case "discard" -> Stage.WhenNotMatched.DISCARD;
      case "fail" -> Stage.WhenNotMatched.FAIL;
      default -> throw badWord(word, "whenNotMatched");
    };
  }

  private static Stage.WhenMatched matched(Document options, Syntax syntax) {
    Value value = options.field("whenMatched");
    if (value.isArray()) {
      return change(Syntax.documents(value, 14, "whenMatched must hold objects"), options, syntax);
    }
    if (!options.field("let").isMissing()) {
      throw Syntax.failure(
          51199,
          "Cannot use 'let' variables with 'whenMatched: "
              + (value.isMissing() ? "merge" : ShellText.of(value).replace("\"", ""))
              + "' mode");
    }
    if (value.isMissing()) {
      return new Stage.WhenMatched.Combine();
    }
    String word =
        Syntax.text(
            value,
            51191,
            "$merge 'whenMatched' field  must be either a string or an array, but found ");
    return switch (word) {
      case "replace" -> new Stage.WhenMatched.Replace();
      case "merge" -> new Stage.WhenMatched.Combine();
      case "keepExisting" -> new Stage.WhenMatched.Keep();
      case "fail" -> new Stage.WhenMatched.Fail();
      default -> throw badWord(word, "whenMatched");
    };
  }

  private static Stage.WhenMatched change(List<Document> stages, Document options, Syntax syntax) {
    Value let = options.field("let");
    Value declared = let.isDocument() ? let.asDocument().field("new") : Value.MISSING;
    if (!declared.isMissing() && !declared.equals(Value.of("$$ROOT"))) {
      throw Syntax.failure(
          51273,
          "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'");
    }
    JoinStages.Let inner = JoinStages.let(let, syntax);
    List<Stage.Binding> bindings = new ArrayList<>(inner.bindings());
    Variables variables = inner.variables();
    if (declared.isMissing()) {
      variables = variables.child("new");
      bindings.add(new Stage.Binding(variables.slot("new"), syntax.expression(Value.of("$$ROOT"))));
    }
    return new Stage.WhenMatched.Change(bindings, steps(stages, syntax.with(variables)));
  }

  /**
   * Parses a pipeline that updates one document.
   *
   * @throws dev.mayfly.mql.CommandException if an update may not contain a stage
   */
  public static List<Stage.Step> steps(List<Document> stages, Syntax syntax) {
    for (Document stage : stages) {
      String name = PipelineParser.name(stage);
      if (!CHANGES.contains(name)) {
        PipelineParser.requireKnown(name);
        throw Syntax.failure(72, name + " is not allowed to be used within an update");
      }
    }
    Pipeline pipeline = PipelineParser.parse(stages, syntax);
    List<Stage.Step> steps = new ArrayList<>();
    for (Stage stage : pipeline.stages()) {
      if (stage instanceof Stage.Reshape(Stage.Step step, _)) {
        steps.add(step);
      }
    }
    return steps;
  }

  private static void requireTogether(
      Stage.WhenMatched matched, Stage.WhenNotMatched notMatched, Document options) {
    boolean insertOnly =
        matched instanceof Stage.WhenMatched.Keep || matched instanceof Stage.WhenMatched.Fail;
    if (insertOnly && notMatched != Stage.WhenNotMatched.INSERT) {
      throw Syntax.failure(
          51181,
          "Combination of $merge modes 'whenMatched: "
              + options.field("whenMatched").asString()
              + "' and 'whenNotMatched: "
              + options.field("whenNotMatched").asString()
              + "' is not supported");
    }
  }

  private static List<FieldPath> on(Value value) {
    if (value.isMissing()) {
      return List.of(FieldPath.of("_id"));
    }
    if (value.type() == Type.STRING) {
      return List.of(Syntax.path(value.asString()));
    }
    if (!value.isArray()) {
      throw Syntax.failure(
          51186,
          "$merge 'on' field  must be either a string or an array of strings, but found "
              + Syntax.typeOf(value));
    }
    Set<FieldPath> paths = new LinkedHashSet<>();
    for (Value element : Syntax.elements(value)) {
      String path =
          Syntax.text(element, 51134, "$merge 'on' array elements must be strings, but found ");
      if (!paths.add(Syntax.path(path))) {
        throw Syntax.failure(31465, "Found a duplicate field '" + path + "'");
      }
    }
    if (paths.isEmpty()) {
      throw Syntax.failure(
          51187, "If explicitly specifying $merge 'on', must include at least one field");
    }
    return List.copyOf(paths);
  }

  private static Target target(Value value, String stage) {
    if (value.type() == Type.STRING) {
      return named("", value.asString(), stage);
    }
    Document options = value.asDocument();
    Fields fields = options.fields();
    while (fields.next()) {
      if (!fields.named("db") && !fields.named("coll")) {
        throw Syntax.failure(
            40415, "BSON field '" + stage + "." + fields.name() + "' is an unknown field.");
      }
    }
    return named(
        options.field("db").isMissing() ? "" : text(options, "db", stage),
        text(options, "coll", stage),
        stage);
  }

  private static String text(Document options, String name, String stage) {
    Value value = options.field(name);
    if (value.isMissing()) {
      throw Syntax.failure(
          40414, "BSON field '" + stage + "." + name + "' is missing but a required field");
    }
    return Syntax.text(
        value, 14, "BSON field '" + stage + "." + name + "' must be a string, but found ");
  }

  private static Target named(String database, String collection, String stage) {
    if (collection.isEmpty() || collection.indexOf('$') >= 0 || collection.startsWith(".")) {
      throw Syntax.failure(
          73, "Invalid " + stage + " target namespace: '" + database + "." + collection + "'");
    }
    return new Target(database, collection);
  }

  private static RuntimeException badWord(String word, String field) {
    return Syntax.failure(
        2,
        "Enumeration value '" + word + "' for field '$merge." + field + "' is not a valid value.");
  }
}
