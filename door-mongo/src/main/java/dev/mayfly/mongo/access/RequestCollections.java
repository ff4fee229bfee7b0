package dev.mayfly.mongo.access;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.mongo.collection.DuplicateKey;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.pipeline.PipelineSource;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The collections that the aggregation pipeline of one request reads and writes. For one thread.
 */
public final class RequestCollections implements PipelineSource {
  private static final FieldPath ID = FieldPath.of("_id");

  private final Request request;
  private final CollectionAccess access;
  private final ServerStages sources;
  private final ObjectIds ids;
  private final Witness witness;
  private boolean witnessed;

  /** Wraps the rows of the collection on which the pipeline runs; not those of joined ones. */
  public interface Witness {
    Rows sees(FoundRows found, Query query);
  }

  /** The collections of a request. */
  public RequestCollections(
      Request request,
      CollectionAccess access,
      ServerStages sources,
      ObjectIds ids,
      Witness witness) {
    this.request = request;
    this.access = access;
    this.sources = sources;
    this.ids = ids;
    this.witness = witness;
  }

  @Override
  public Rows read(Target collection, Query query) {
    Optional<CollectionOperations> documents = documents(collection);
    if (documents.isEmpty()) {
      return Rows.none();
    }
    Query hinted = hinted(documents.get(), query);
    return seen(documents.get().query(hinted), hinted);
  }

  @Override
  public PlannedRows readUnsorted(Target collection, Query query) {
    Optional<CollectionOperations> documents = documents(collection);
    if (documents.isEmpty()) {
      return new PlannedRows(Rows.none(), true);
    }
    Query hinted = hinted(documents.get(), query);
    CollectionOperations.UnsortedRows found = documents.get().queryUnsorted(hinted);
    Query run = found.inOrder() ? hinted : hinted.unordered();
    return new PlannedRows(seen(found.rows(), run), found.inOrder());
  }

  /** Only the first read is wrapped: joined collections are read later. */
  private Rows seen(FoundRows found, Query query) {
    if (witnessed) {
      return found;
    }
    witnessed = true;
    return witness.sees(found, query);
  }

  /** A hint applies to the collection that the command names, not to joined ones. */
  private Query hinted(CollectionOperations documents, Query query) {
    Value hint = request.field("hint");
    return hint.isMissing() || !documents.namespace().equals(requestNamespace())
        ? query
        : query.withHint(Hints.of(hint, documents.spec()));
  }

  private Namespace requestNamespace() {
    return access.follow(request.namespace()).namespace();
  }

  @Override
  public long count(Target collection, Query query) {
    return documents(collection)
        .map(documents -> documents.count(hinted(documents, query)))
        .orElse(0L);
  }

  @Override
  public boolean ordered(Target collection, Query query) {
    return documents(collection)
        .map(documents -> documents.ordered(hinted(documents, query)))
        .orElse(true);
  }

  @Override
  public boolean indexed(Target collection, FieldPath path) {
    if (path.equals(ID)) {
      return true;
    }
    return documents(collection)
        .map(
            documents -> documents.spec().indexes().stream().anyMatch(index -> serves(index, path)))
        .orElse(true);
  }

  private static boolean serves(IndexSpec index, FieldPath path) {
    return !index.hidden()
        && index.partial().equals(Filter.all())
        && !index.sparse()
        && !index.parts().getFirst().derived()
        && index.parts().getFirst().path().equals(path);
  }

  @Override
  public boolean unique(Target collection, List<FieldPath> paths, Collation collation) {
    if (paths.equals(List.of(ID))) {
      return true;
    }
    Set<FieldPath> wanted = new HashSet<>(paths);
    return documents(collection)
        .map(
            documents ->
                documents.spec().indexes().stream()
                    .filter(index -> index.collation().equals(collation))
                    .anyMatch(index -> identifies(index, wanted)))
        .orElse(false);
  }

  private static boolean identifies(IndexSpec index, Set<FieldPath> paths) {
    Set<FieldPath> held = new HashSet<>();
    index.parts().stream().map(Part::path).forEach(held::add);
    return index.unique() && index.partial().equals(Filter.all()) && held.equals(paths);
  }

  @Override
  public Rows source(Target collection, Stage.Source source) {
    return sources.rows(request, collection, source);
  }

  @Override
  public Value newId() {
    return ids.next(request.now());
  }

  @Override
  public Replacement replace(Target collection) {
    return access.replacement(request, namespace(collection));
  }

  @Override
  public void change(Target collection, Filter which, Change change) {
    CollectionOperations documents =
        access.created(request, namespace(collection), access.defaultDurability());
    while (!changed(documents, which, change)) {
      request.check();
    }
  }

  /** Changes or inserts one document; false if another write came first and a retry is needed. */
  private static boolean changed(CollectionOperations documents, Filter which, Change change) {
    Write write;
    try (FoundRows found =
        documents.query(Query.of(which, Mode.MATCH).limitedTo(1).withoutTouch())) {
      Optional<Document> before = found.next() ? Optional.of(found.current()) : Optional.empty();
      Optional<Document> after = applied(documents, which, change, before);
      if (after.isEmpty() || after.equals(before)) {
        return true;
      }
      check(documents.validator(), before, after.get());
      write =
          before.isPresent()
              ? new Write.Update(
                  DocumentKey.of(before.get().field("_id")), _ -> after.get(), found.version())
              : new Write.Insert(after.get());
    }
    WriteOutcome outcome = documents.write(write, Statement.NONE);
    if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
      boolean overtaken =
          failure.reason() == Reason.VERSION_MISMATCH || failure.reason() == Reason.NOT_FOUND;
      if (!overtaken) {
        throw DuplicateKey.translate(failure, documents.namespace(), documents.spec());
      }
      return false;
    }
    return true;
  }

  /** The changed document; if none may exist, fails with a duplicate key error that names it. */
  private static Optional<Document> applied(
      CollectionOperations documents, Filter which, Change change, Optional<Document> before) {
    try {
      return change.apply(before);
    } catch (QueryException failure) {
      if (failure.number() != ErrorCode.DUPLICATE_KEY.number() || before.isEmpty()) {
        throw failure;
      }
      throw DuplicateKey.of(
          before.get(), which.paths().toList(), documents.namespace(), documents.spec());
    }
  }

  private static void check(Validator validator, Optional<Document> before, Document after) {
    if (before.isPresent()) {
      validator.checkUpdate(before.get(), after);
    } else {
      validator.checkInsert(after);
    }
  }

  private Optional<CollectionOperations> documents(Target target) {
    return access.existing(request, namespace(target));
  }

  private static Namespace namespace(Target target) {
    return Names.namespace(target.database(), target.collection());
  }
}
