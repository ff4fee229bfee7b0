package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.pipeline.Pipeline;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Parser of aggregation pipelines.
 *
 * <p>This class knows the stages and their valid positions; the parser of each family reads the
 * stage itself.
 */
public final class PipelineParser {
  private static final int MOST_STAGES = 1000;

  /** Parses the specification of a stage. */
  @FunctionalInterface
  interface StageParser {
    List<Stage> parse(Value specification, Syntax syntax);
  }

  private static final Map<String, StageParser> PARSERS =
      Map.ofEntries(
          Map.entry("$match", PlainStages::match),
          Map.entry("$limit", PlainStages::limit),
          Map.entry("$skip", PlainStages::skip),
          Map.entry("$sort", PlainStages::sort),
          Map.entry("$count", PlainStages::count),
          Map.entry("$sample", PlainStages::sample),
          Map.entry("$unwind", PlainStages::unwind),
          Map.entry("$redact", PlainStages::redact),
          Map.entry("$documents", PlainStages::documents),
          Map.entry("$project", ShapeStages::project),
          Map.entry("$addFields", ShapeStages::addFields),
          Map.entry("$set", ShapeStages::set),
          Map.entry("$unset", ShapeStages::unset),
          Map.entry("$replaceRoot", ShapeStages::replaceRoot),
          Map.entry("$replaceWith", ShapeStages::replaceWith),
          Map.entry("$group", GroupStages::group),
          Map.entry("$sortByCount", GroupStages::sortByCount),
          Map.entry("$bucket", BucketStages::bucket),
          Map.entry("$bucketAuto", BucketStages::bucketAuto),
          Map.entry("$lookup", JoinStages::lookup),
          Map.entry("$graphLookup", JoinStages::graphLookup),
          Map.entry("$unionWith", JoinStages::unionWith),
          Map.entry("$facet", JoinStages::facet),
          Map.entry("$setWindowFields", WindowStages::setWindowFields),
          Map.entry("$fill", WindowStages::fill),
          Map.entry("$densify", DensifyStage::parse),
          Map.entry("$out", WriteStages::out),
          Map.entry("$merge", WriteStages::merge),
          Map.entry("$geoNear", GeoNearStage::parse));

  private static final Set<String> SOURCES =
      Set.of(
          "$collStats",
          "$indexStats",
          "$currentOp",
          "$changeStream",
          "$listSessions",
          "$listLocalSessions",
          "$planCacheStats",
          "$listSearchIndexes");

  /** The last stage of a change stream whose large events are split. */
  public static final String SPLIT = "$changeStreamSplitLargeEvent";

  /** Stages that produce documents; they must be first. */
  private static final Set<String> FIRST = Set.of("$documents", "$geoNear");

  /** Stages that write documents; they must be last. */
  private static final Set<String> LAST = Set.of("$out", "$merge");

  private PipelineParser() {}

  /** Returns the names of all stages. */
  public static Set<String> names() {
    Set<String> names = new HashSet<>(PARSERS.keySet());
    names.addAll(SOURCES);
    names.add(SPLIT);
    return names;
  }

  /**
   * Parses a pipeline.
   *
   * @throws CommandException if a stage is invalid or misplaced
   */
  public static Pipeline parse(List<Document> stages, Variables variables, Collation collation) {
    return parse(stages, new Syntax(variables, collation));
  }

  /**
   * Parses a pipeline that updates one document.
   *
   * @throws CommandException if an update may not contain a stage
   */
  public static List<Stage.Step> steps(
      List<Document> stages, Variables variables, Collation collation) {
    return WriteStages.steps(stages, new Syntax(variables, collation));
  }

  static Pipeline parse(List<Document> stages, Syntax syntax) {
    if (stages.size() > MOST_STAGES) {
      throw Syntax.failure(
          7749501, "Pipeline length must be no longer than " + MOST_STAGES + " stages");
    }
    List<Stage> parsed = new ArrayList<>();
    for (int i = 0; i < stages.size(); i++) {
      String name = name(stages.get(i));
      requirePlace(name, i, stages.size());
      if (name.equals(SPLIT)) {
        requireStream(stages, i);
      }
      parsed.addAll(parse(name, stages.get(i).field(name), syntax));
    }
    return new Pipeline(parsed);
  }

  /** Rejects stages that are not allowed in this pipeline. */
  static void refuse(List<Document> stages, Set<String> names, int code, String where) {
    for (Document stage : stages) {
      String name = name(stage);
      if (names.contains(name)) {
        throw Syntax.failure(code, name + " " + where);
      }
    }
  }

  /** Returns whether the documents of a pipeline come from a source other than a collection. */
  public static boolean bringsDocuments(List<Document> stages) {
    return !stages.isEmpty()
        && bringsDocuments(name(stages.getFirst()))
        && !GeoNearStage.begins(stages);
  }

  /** Returns whether the stage produces documents. */
  static boolean bringsDocuments(String name) {
    return SOURCES.contains(name) || FIRST.contains(name);
  }

  /** Returns the name of a stage: its only field. */
  static String name(Document stage) {
    Fields fields = stage.fields();
    boolean any = fields.next();
    String name = any ? fields.name() : "";
    if (!any || fields.next()) {
      throw Syntax.failure(
          40323, "A pipeline stage specification object must contain exactly one field.");
    }
    return name;
  }

  private static List<Stage> parse(String name, Value specification, Syntax syntax) {
    if (SOURCES.contains(name) || name.equals(SPLIT)) {
      return List.of(new Stage.Source(name, sourceOptions(name, specification)));
    }
    StageParser parser = PARSERS.get(name);
    if (parser == null) {
      throw unknown(name);
    }
    return parser.parse(specification, syntax);
  }

  /** Fails if no stage has this name. */
  static void requireKnown(String name) {
    if (!SOURCES.contains(name) && !name.equals(SPLIT) && !PARSERS.containsKey(name)) {
      throw unknown(name);
    }
  }

  private static RuntimeException unknown(String name) {
    return Syntax.failure(40324, "Unrecognized pipeline stage name: '" + name + "'");
  }

  /** Only the end of a change stream may split events. */
  private static void requireStream(List<Document> stages, int at) {
    Value options = stages.get(at).field(SPLIT);
    if (!options.isDocument() || !options.asDocument().isEmpty()) {
      throw Syntax.failure(7182800, SPLIT + " spec should be an empty object");
    }
    if (!name(stages.getFirst()).equals("$changeStream")) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION, SPLIT + " can only be used in a $changeStream pipeline");
    }
    if (at < stages.size() - 1) {
      throw Syntax.failure(7182802, SPLIT + " must be the last stage in the pipeline");
    }
  }

  private static Document sourceOptions(String name, Value specification) {
    return Syntax.object(
        specification, 9, name + " stage specification must be an object, but found ");
  }

  private static void requirePlace(String name, int at, int count) {
    if (at > 0 && bringsDocuments(name)) {
      throw Syntax.failure(40602, name + " is only valid as the first stage in a pipeline");
    }
    if (at < count - 1 && LAST.contains(name)) {
      throw Syntax.failure(40601, name + " can only be the final stage in the pipeline");
    }
  }
}
