package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.pipeline.Pipeline;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.query.Filter;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parser of stages that combine several collections or pipelines. */
final class JoinStages {
  private static final Set<String> WRITERS = Set.of("$out", "$merge");
  private static final Set<String> LOOKUP_OPTIONS =
      Set.of("from", "localField", "foreignField", "as", "let", "pipeline");
  private static final Set<String> GRAPH_OPTIONS =
      Set.of(
          "from",
          "startWith",
          "connectFromField",
          "connectToField",
          "as",
          "maxDepth",
          "depthField",
          "restrictSearchWithMatch");
  private static final Set<String> GRAPH_TEXTS =
      Set.of("from", "connectFromField", "connectToField", "as", "depthField");

  private JoinStages() {}

  static List<Stage> lookup(Value specification, Syntax syntax) {
    Document options =
        Syntax.object(
            specification, 9, "the $lookup stage specification must be an object, but found ");
    refuseUnknown(options, LOOKUP_OPTIONS, 9, "unknown argument to $lookup: ");
    String as = lookupText(options, "as");
    if (as.isEmpty()) {
      throw Syntax.failure(9, "must specify 'as' field for a $lookup");
    }
    Optional<Stage.Join> join = join(options);
    Value pipeline = options.field("pipeline");
    if (join.isEmpty() && pipeline.isMissing()) {
      throw Syntax.failure(
          9,
          "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be"
              + " specified");
    }
    Let let = let(options.field("let"), syntax);
    List<Document> stages = stages(pipeline, "pipeline");
    PipelineParser.refuse(stages, WRITERS, 51047, "is not allowed within a $lookup's sub-pipeline");
    Pipeline inner = PipelineParser.parse(stages, syntax.with(let.variables()));
    return List.of(
        new Stage.Lookup(lookupFrom(options, inner), join, let.bindings(), inner, Syntax.path(as)));
  }

  /** Variables of a nested pipeline, and their values. */
  record Let(Variables variables, List<Stage.Binding> bindings) {}

  /** Parses {@code let}; its expressions do not see one another. */
  static Let let(Value specification, Syntax syntax) {
    List<Stage.Binding> bindings = new ArrayList<>();
    Variables inner = syntax.variables();
    if (specification.isMissing()) {
      return new Let(inner, bindings);
    }
    Fields each =
        Syntax.object(specification, 9, "argument 'let' must be an object, is type ").fields();
    while (each.next()) {
      Variables.requireUserName(each.name());
      Expression value = syntax.expression(each.value());
      inner = inner.child(each.name());
      bindings.add(new Stage.Binding(inner.slot(each.name()), value));
    }
    return new Let(inner, bindings);
  }

  private static Optional<Stage.Join> join(Document options) {
    String local = lookupText(options, "localField");
    String foreign = lookupText(options, "foreignField");
    if (local.isEmpty() != foreign.isEmpty()) {
      throw Syntax.failure(
          9, "$lookup requires both or neither of 'localField' and 'foreignField' to be specified");
    }
    return local.isEmpty()
        ? Optional.empty()
        : Optional.of(new Stage.Join(Syntax.path(local), Syntax.path(foreign)));
  }

  private static Target lookupFrom(Document options, Pipeline pipeline) {
    Value from = options.field("from");
    if (from.isMissing()) {
      if (!pipeline.bringsDocuments()) {
        throw Syntax.failure(
            9,
            "$lookup stage without explicit collection must have a pipeline with $documents as"
                + " first stage");
      }
      return Target.here("");
    }
    return collection(
        Syntax.text(from, 9, "$lookup 'from' field must be a string, but found "), "$lookup");
  }

  private static Target collection(String name, String stage) {
    if (name.isEmpty()) {
      throw Syntax.failure(73, "invalid " + stage + " namespace: ''");
    }
    return Target.here(name);
  }

  private static String lookupText(Document options, String name) {
    Value value = options.field(name);
    if (value.isMissing()) {
      return "";
    }
    if (value.type() != Type.STRING) {
      throw Syntax.failure(
          9,
          "$lookup argument '"
              + ShellText.field(name, value)
              + "' must be a string, found "
              + ShellText.field(name, value)
              + ", type "
              + Syntax.typeOf(value));
    }
    return value.asString();
  }

  private static List<Document> stages(Value pipeline, String name) {
    return pipeline.isMissing()
        ? List.of()
        : Syntax.documents(pipeline, 14, "'" + name + "' must be an array of objects, the stages");
  }

  static List<Stage> graphLookup(Value specification, Syntax syntax) {
    Document options =
        Syntax.object(
            specification,
            40327,
            "the $graphLookup stage specification must be an object, but found ");
    refuseUnknown(options, GRAPH_OPTIONS, 40104, "Unknown argument to $graphLookup: ");
    for (String name : GRAPH_TEXTS) {
      Value value = options.field(name);
      if (!value.isMissing() && value.type() != Type.STRING) {
        throw Syntax.failure(
            40103, "expected string as argument for " + name + ", found: " + ShellText.of(value));
      }
    }
    for (String name : List.of("from", "as", "startWith", "connectFromField", "connectToField")) {
      if (options.field(name).isMissing()) {
        throw Syntax.failure(
            40105,
            "$graphLookup requires 'from', 'as', 'startWith', 'connectFromField', and"
                + " 'connectToField' to be specified.");
      }
    }
    return List.of(graph(options, syntax));
  }

  private static Stage graph(Document options, Syntax syntax) {
    return new Stage.Graph(
        collection(options.field("from").asString(), "$graphLookup"),
        syntax.expression(options.field("startWith")),
        Syntax.path(options.field("connectFromField").asString()),
        Syntax.path(options.field("connectToField").asString()),
        Syntax.path(options.field("as").asString()),
        maxDepth(options.field("maxDepth")),
        depthField(options.field("depthField")),
        restriction(options.field("restrictSearchWithMatch"), syntax));
  }

  private static long maxDepth(Value value) {
    if (value.isMissing()) {
      return Stage.Graph.ANY_DEPTH;
    }
    if (!value.isNumber()) {
      throw Syntax.failure(
          40100, "maxDepth requires numeric argument, found: " + Syntax.typeOf(value));
    }
    if (value.asDouble() < 0) {
      throw Syntax.failure(
          40101, "maxDepth requires a nonnegative argument, found: " + ShellText.of(value));
    }
    if (value.asDouble() != value.asLong()) {
      throw Syntax.failure(
          40102, "maxDepth could not be represented as a long long: " + ShellText.of(value));
    }
    return value.asLong();
  }

  private static Optional<FieldPath> depthField(Value value) {
    return value.isMissing() ? Optional.empty() : Optional.of(Syntax.path(value.asString()));
  }

  private static Filter restriction(Value value, Syntax syntax) {
    return value.isMissing()
        ? Filter.all()
        : syntax.filter(
            Syntax.object(
                value,
                40185,
                "$graphLookup argument 'restrictSearchWithMatch' must be an object, found "));
  }

  static List<Stage> unionWith(Value specification, Syntax syntax) {
    if (specification.type() == Type.STRING) {
      return List.of(
          new Stage.Union(collection(specification.asString(), "$unionWith"), Pipeline.EMPTY));
    }
    Document options =
        Syntax.object(
            specification,
            9,
            "the $unionWith stage specification must be an object or string, but found ");
    refuseUnknown(
        options,
        Set.of("coll", "pipeline"),
        40415,
        "BSON field '$unionWith' has an unknown field: ");
    List<Document> stages = stages(options.field("pipeline"), "pipeline");
    PipelineParser.refuse(
        stages, WRITERS, 31441, "is not allowed within a $unionWith's sub-pipeline");
    Pipeline pipeline = PipelineParser.parse(stages, syntax);
    return List.of(new Stage.Union(unionFrom(options.field("coll"), pipeline), pipeline));
  }

  private static Target unionFrom(Value collection, Pipeline pipeline) {
    if (!collection.isMissing()) {
      return collection(
          Syntax.text(collection, 14, "BSON field '$unionWith.coll' is the wrong type "),
          "$unionWith");
    }
    if (!pipeline.bringsDocuments()) {
      throw Syntax.failure(
          9,
          "$unionWith stage without explicit collection must have a pipeline with $documents as"
              + " first stage");
    }
    return Target.here("");
  }

  static List<Stage> facet(Value specification, Syntax syntax) {
    if (!specification.isDocument() || specification.asDocument().isEmpty()) {
      throw Syntax.failure(40169, "the $facet specification must be a non-empty object");
    }
    List<Stage.Branch> branches = new ArrayList<>();
    Fields each = specification.asDocument().fields();
    while (each.next()) {
      branches.add(branch(each.name(), each.value(), syntax));
    }
    return List.of(new Stage.Facet(branches));
  }

  private static Stage.Branch branch(String name, Value pipeline, Syntax syntax) {
    if (name.isEmpty() || name.startsWith("$") || name.indexOf('.') >= 0) {
      Syntax.path(name);
      throw Syntax.failure(16412, "FieldPath field names may not contain '.'.");
    }
    if (!pipeline.isArray()) {
      throw Syntax.failure(
          40170,
          "arguments to $facet must be arrays, " + name + " is type " + Syntax.typeOf(pipeline));
    }
    List<Document> stages =
        Syntax.documents(
            pipeline, 40171, "elements of arrays in $facet spec must be non-empty objects");
    for (Document stage : stages) {
      refuseInFacet(PipelineParser.name(stage));
    }
    return new Stage.Branch(name, PipelineParser.parse(stages, syntax));
  }

  private static void refuseInFacet(String name) {
    boolean refused =
        WRITERS.contains(name) || name.equals("$facet") || PipelineParser.bringsDocuments(name);
    if (refused) {
      throw Syntax.failure(40600, name + " is not allowed to be used within a $facet stage");
    }
  }

  private static void refuseUnknown(Document options, Set<String> known, int code, String message) {
    Fields fields = options.fields();
    while (fields.next()) {
      if (!known.contains(fields.name())) {
        throw Syntax.failure(code, message + fields.name());
      }
    }
  }
}
