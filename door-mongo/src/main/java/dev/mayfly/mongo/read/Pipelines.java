package dev.mayfly.mongo.read;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.GeoIndexes;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.access.RequestCollections;
import dev.mayfly.mongo.access.ServerStages;
import dev.mayfly.mongo.change.ChangeStreams;
import dev.mayfly.mongo.collection.Views;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.ReadConcern;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.session.Transactions;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.parser.pipeline.GeoNearStage;
import dev.mayfly.mql.parser.pipeline.MetadataStages;
import dev.mayfly.mql.parser.pipeline.PipelineParser;
import dev.mayfly.mql.pipeline.Environment;
import dev.mayfly.mql.pipeline.Execution;
import dev.mayfly.mql.pipeline.Pipeline;
import dev.mayfly.mql.pipeline.ResolvedNames;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Query;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/** Runs aggregation pipelines for requests. Safe for many threads. */
public final class Pipelines {
  /** The collection name of a pipeline without a collection, as in MongoDB. */
  static final String NO_COLLECTION = "$cmd.aggregate";

  private final CollectionAccess access;
  private final ServerStages sources;
  private final ChangeStreams changes;
  private final ObjectIds ids;
  private final Optional<Path> spillDirectory;

  /**
   * Runs pipelines on one engine.
   *
   * @param spillDirectory for stages that exceed their memory limit; empty if they fail instead
   */
  public Pipelines(
      CollectionAccess access,
      ServerStages sources,
      ChangeStreams changes,
      ObjectIds ids,
      Optional<Path> spillDirectory) {
    this.access = access;
    this.sources = sources;
    this.changes = changes;
    this.ids = ids;
    this.spillDirectory = spillDirectory;
  }

  /** A parsed pipeline and its environment. */
  private record Prepared(Pipeline pipeline, Environment environment) {}

  /** Runs stages on a collection or view, or without one; the caller closes the rows. */
  Rows rows(Request request, Target target, List<Document> stages) {
    Prepared prepared = prepared(request, target, stages);
    Pipeline pipeline = prepared.pipeline();
    checkTransaction(request, pipeline);
    boolean none = target.collection().equals(NO_COLLECTION);
    if (ChangeStreams.begins(pipeline)) {
      access.checkNotView(new Namespace(target.database(), target.collection()));
      return changes.open(
          target.database(),
          none ? Optional.empty() : Optional.of(target.collection()),
          pipeline,
          prepared.environment());
    }
    if (none && !pipeline.bringsDocuments()) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "{aggregate: 1} is not valid for a pipeline that needs the documents of a collection");
    }
    if (!none && pipeline.stages().stream().anyMatch(Stage.Documents.class::isInstance)) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE, "'$documents' can only be run with {aggregate: 1}");
    }
    return new Execution(target.database(), prepared.environment()).run(target, pipeline);
  }

  /**
   * Fails if a pipeline that writes or reports server state runs in a transaction or with read
   * concern snapshot.
   */
  private static void checkTransaction(Request request, Pipeline pipeline) {
    boolean sourced =
        !pipeline.stages().isEmpty() && pipeline.stages().getFirst() instanceof Stage.Source;
    if (Transactions.includes(request) && (pipeline.writes() || sourced)) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "a stage of this pipeline cannot run in a multi-document transaction");
    }
    boolean snapshot = !Transactions.includes(request) && ReadConcern.of(request).snapshot();
    if (snapshot && (pipeline.writes() || sourced)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "a stage of this pipeline cannot be used with readConcern level snapshot");
    }
  }

  /** The query that {@link #rows} runs on the collection; empty if it reads no collection. */
  Optional<Query> query(Request request, Target target, List<Document> stages) {
    Prepared prepared = prepared(request, target, stages);
    Execution execution = new Execution(target.database(), prepared.environment());
    return prepared.pipeline().bringsDocuments()
        ? Optional.empty()
        : Optional.of(execution.query(target, prepared.pipeline()));
  }

  /** The collection of a name, and all stages: those of its views, then these. */
  Views.Source followed(Target target, List<Document> stages) {
    Views.Source source = access.follow(new Namespace(target.database(), target.collection()));
    List<Document> all = new ArrayList<>(source.stages());
    all.addAll(stages);
    return new Views.Source(source.namespace(), all);
  }

  /**
   * The rows of a query and of each stage after it, with counts for {@code explain}.
   *
   * @param taken the number of leading stages that the query replaces
   * @param found returns the rows of the query, wrapped for {@code $meta} if expressions need it
   */
  List<CountingRows> tallies(
      Request request,
      Target target,
      List<Document> stages,
      int taken,
      Function<RequestCollections.Witness, Rows> found) {
    Variables variables = variables(request);
    Collation collation = collation(request, target);
    List<Document> left = stages.subList(taken, stages.size());
    List<Pipeline> each =
        keyed(request, target, left).stream()
            .map(stage -> PipelineParser.parse(List.of(stage), variables, collation))
            .toList();
    ResolvedNames names =
        ResolvedNames.joined(target.database(), each, name -> origin(name, variables, collation));
    Scope scope = variables.scope();
    RequestCollections.Witness witness = witness(target, stages, variables, scope);
    Environment environment = environment(request, names, collation, scope, witness);
    Execution execution = new Execution(target.database(), environment);
    List<CountingRows> tallies = new ArrayList<>();
    tallies.add(new CountingRows(found.apply(witness), request.operation()::runningNanos));
    for (Pipeline stage : each) {
      Rows made = execution.over(tallies.getLast(), stage);
      tallies.add(new CountingRows(made, request.operation()::runningNanos));
    }
    return tallies;
  }

  private Prepared prepared(Request request, Target target, List<Document> stages) {
    Variables variables = variables(request);
    boolean none = target.collection().equals(NO_COLLECTION);
    Collation collation = none ? Collation.SIMPLE : collation(request, target);
    Pipeline pipeline = PipelineParser.parse(keyed(request, target, stages), variables, collation);
    ResolvedNames.Resolver resolver = name -> origin(name, variables, collation);
    ResolvedNames names =
        none
            ? ResolvedNames.joined(target.database(), List.of(pipeline), resolver)
            : ResolvedNames.of(target, pipeline, resolver);
    Scope scope = variables.scope();
    RequestCollections.Witness witness = witness(target, stages, variables, scope);
    return new Prepared(pipeline, environment(request, names, collation, scope, witness));
  }

  /** The collection of a name, and the parsed stages of the views over it. */
  private ResolvedNames.Origin origin(Target name, Variables variables, Collation collation) {
    Namespace namespace = Names.namespace(name.database(), name.collection());
    access.checkJoined(namespace, collation);
    Views.Source source = access.follow(namespace);
    Target collection = new Target(source.namespace().database(), source.namespace().collection());
    return new ResolvedNames.Origin(
        collection, PipelineParser.parse(source.stages(), variables, collation));
  }

  private Variables variables(Request request) {
    return Variables.none(request.now()).with(request.document("let"));
  }

  private Environment environment(
      Request request,
      ResolvedNames names,
      Collation collation,
      Scope scope,
      RequestCollections.Witness witness) {
    return new Environment(
        new RequestCollections(request, access, sources, ids, witness),
        names,
        scope,
        workspace(request),
        collation,
        ThreadLocalRandom.current());
  }

  /** Provides the {@code $meta} values that the expressions of a pipeline use. */
  private RequestCollections.Witness witness(
      Target target, List<Document> stages, Variables variables, Scope scope) {
    if (variables.metadata().isEmpty()) {
      return (found, _) -> found;
    }
    boolean none = target.collection().equals(NO_COLLECTION);
    List<Document> all = none ? stages : followed(target, stages).stages();
    variables.refuseMetadataBut(
        none || !MetadataStages.isKnown(all) ? Set.of() : RequestedMetadata.known(all));
    scope.keepMetadata();
    RequestedMetadata requestedMetadata = new RequestedMetadata(false, false, variables.metadata());
    double unit = GeoNearStage.unit(all);
    return (found, query) -> new MetadataRows(found, query, requestedMetadata, unit, scope);
  }

  /** Adds the missing {@code key} of a leading {@code $geoNear}: the path of the only geo index. */
  private List<Document> keyed(Request request, Target target, List<Document> stages) {
    if (!GeoNearStage.begins(stages)) {
      return stages;
    }
    Namespace namespace = new Namespace(target.database(), target.collection());
    if (access.isView(namespace)) {
      throw new CommandException(
          ErrorCode.location(40602), "$geoNear is only valid as the first stage in a pipeline.");
    }
    Optional<CollectionOperations> documents = access.existing(request, namespace);
    return GeoNearStage.lacksKey(stages)
        ? GeoNearStage.withKey(stages, documents.map(GeoIndexes::only).orElse("_id"))
        : stages;
  }

  private Workspace workspace(Request request) {
    return request.flag("allowDiskUse", true) && spillDirectory.isPresent()
        ? Workspace.spilling(Workspace.DEFAULT_BYTES, spillDirectory.get())
        : Workspace.memory(Workspace.DEFAULT_BYTES);
  }

  private Collation collation(Request request, Target target) {
    return access.collation(request, new Namespace(target.database(), target.collection()));
  }
}
