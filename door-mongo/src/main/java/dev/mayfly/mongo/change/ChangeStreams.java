package dev.mayfly.mongo.change;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.ClusterTime;
import dev.mayfly.mongo.cursor.ShapedTail;
import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.pipeline.PipelineParser;
import dev.mayfly.mql.pipeline.Environment;
import dev.mayfly.mql.pipeline.Execution;
import dev.mayfly.mql.pipeline.Pipeline;
import dev.mayfly.mql.pipeline.Stage;
import java.util.List;
import java.util.Optional;

/** Opens change streams: pipelines that begin with {@code $changeStream}. Safe for many threads. */
public final class ChangeStreams {
  private static final String NAME = "$changeStream";

  private final Engine engine;

  public ChangeStreams(Engine engine) {
    this.engine = engine;
  }

  /** Whether a pipeline is a change stream. */
  public static boolean begins(Pipeline pipeline) {
    return !pipeline.stages().isEmpty()
        && pipeline.stages().getFirst() instanceof Stage.Source source
        && source.name().equals(NAME);
  }

  /**
   * Opens a change stream with the remaining stages of its pipeline; the caller closes it.
   *
   * @param collection empty for a pipeline on a database
   */
  public Tail open(
      String database, Optional<String> collection, Pipeline pipeline, Environment environment) {
    Stage.Source source = (Stage.Source) pipeline.stages().getFirst();
    boolean splits = pipeline.stages().size() > 1 && isSplit(pipeline.stages().getLast());
    int end = pipeline.stages().size() - (splits ? 1 : 0);
    List<Stage> rest = pipeline.stages().subList(1, end);
    rest.forEach(ChangeStreams::check);
    ChangeOptions options = ChangeOptions.of(source.specification());
    WatchScope scope = scope(database, collection, options);
    ChangeTail.Start start = start(options, splits);
    ChangeTail events =
        new ChangeTail(
            engine,
            scope,
            new ChangeImages(options),
            new SchemaEvents(scope, options.expanded()),
            start);
    Tail shaped =
        rest.isEmpty()
            ? events
            : new ShapedTail(
                events,
                new ResumableEvents(
                    new Execution(database, environment).over(events, new Pipeline(rest)), events));
    return splits
        ? new SplitEvents(shaped, start.resumeAfter())
        : new ShapedTail(shaped, new WholeEvents(shaped));
  }

  private static boolean isSplit(Stage stage) {
    return stage instanceof Stage.Source source && source.name().equals(PipelineParser.SPLIT);
  }

  private static WatchScope scope(
      String database, Optional<String> collection, ChangeOptions options) {
    if (options.cluster()) {
      if (!database.equals("admin") || collection.isPresent()) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin'"
                + " database, and with no collection name");
      }
      return new WatchScope.OfAll();
    }
    return collection
        .<WatchScope>map(name -> new WatchScope.OfCollection(new Namespace(database, name)))
        .orElseGet(() -> new WatchScope.OfDatabase(database));
  }

  private ChangeTail.Start start(ChangeOptions options, boolean splits) {
    if (options.resume().isPresent()) {
      if (options.resume().get().isOfFragment() && !splits) {
        throw new CommandException(
            ErrorCode.CHANGE_STREAM_FATAL_ERROR,
            "To resume from a split event, the $changeStream pipeline must include a "
                + PipelineParser.SPLIT
                + " stage");
      }
      return ChangeTail.Start.after(options.resume().get());
    }
    if (options.startAt().isMissing()) {
      // reads the clock again, together with the position: the token must not be before it
      return startAfter(engine.now(), engine.lastPosition());
    }
    return startAfter(ClusterTime.epochMillis(options.startAt()), FeedReader.BEGINNING);
  }

  private static ChangeTail.Start startAfter(long epochMillis, long position) {
    return ChangeTail.Start.after(new ResumeToken(epochMillis, position, ResumeToken.Kind.CHANGE));
  }

  /** Fails unless a stage works on single events: the stream has no end. */
  private static void check(Stage stage) {
    boolean streams =
        stage instanceof Stage.Match
            || stage instanceof Stage.Reshape
            || stage instanceof Stage.Redact;
    if (!streams) {
      throw new CommandException(
          ErrorCode.ILLEGAL_OPERATION,
          "a stage is not permitted in a $changeStream pipeline: only $addFields, $match,"
              + " $project, $redact, $replaceRoot, $replaceWith, $set and $unset are");
    }
  }
}
