package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Collation;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.Document;
import dev.mayfly.value.Excerpt;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Collections in lists that record their queries. */
public final class MemoryCollections implements PipelineSource {
  private final Map<Target, List<Document>> collections = new HashMap<>();
  private final Map<Target, ResolvedNames.Origin> views = new HashMap<>();
  private final List<Query> queries = new ArrayList<>();
  private boolean ordering;
  private int counted;
  private int open;
  private int ids;

  /** Appends documents to a collection. */
  public MemoryCollections with(String database, String collection, List<Document> documents) {
    collections
        .computeIfAbsent(new Target(database, collection), _ -> new ArrayList<>())
        .addAll(documents);
    return this;
  }

  /** Makes a view. */
  public MemoryCollections view(String database, String name, String on, Pipeline pipeline) {
    views.put(
        new Target(database, name), new ResolvedNames.Origin(new Target(database, on), pipeline));
    return this;
  }

  /** Gives every order from now on, as if there were an index for each. */
  public MemoryCollections ordering() {
    ordering = true;
    return this;
  }

  /** What is in a collection. */
  public List<Document> documents(String database, String collection) {
    return List.copyOf(collections.getOrDefault(new Target(database, collection), List.of()));
  }

  /** What was read, in turn. */
  public List<Query> queries() {
    return List.copyOf(queries);
  }

  /** How often documents were counted instead of read. */
  public int counted() {
    return counted;
  }

  /** How many rows have not been closed. */
  public int open() {
    return open;
  }

  /** Resolves the names of a pipeline. */
  public ResolvedNames names(Target target, Pipeline pipeline) {
    return ResolvedNames.of(
        target,
        pipeline,
        name -> views.getOrDefault(name, new ResolvedNames.Origin(name, Pipeline.EMPTY)));
  }

  @Override
  public Rows read(Target collection, Query query) {
    queries.add(query);
    open++;
    List<Document> found = select(collection, query);
    return new Closing(Rows.of(found.stream().map(one -> cut(one, query.reads())).toList()));
  }

  @Override
  public PlannedRows readUnsorted(Target collection, Query query) {
    return new PlannedRows(read(collection, ordering ? query : query.unordered()), ordering);
  }

  /** Removes the fields that the query does not declare, to detect stages that read them. */
  private static Document cut(Document document, RootFields reads) {
    return reads.all()
        ? document
        : Document.trusted(
            new Excerpt(reads.names()).of(MemorySegment.ofArray(document.bytes()), 0));
  }

  @Override
  public long count(Target collection, Query query) {
    counted++;
    return select(collection, query).size();
  }

  @Override
  public boolean ordered(Target collection, Query query) {
    return ordering;
  }

  @Override
  public boolean indexed(Target collection, FieldPath path) {
    return ordering;
  }

  @Override
  public Rows source(Target collection, Stage.Source source) {
    return Rows.of(List.of(Document.writer().put("source", source.name()).build()));
  }

  @Override
  public Replacement replace(Target collection) {
    List<Document> added = new ArrayList<>();
    return new Replacement() {
      @Override
      public void add(Document document) {
        added.add(document);
      }

      @Override
      public void finish() {
        collections.put(collection, added);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public boolean unique(Target collection, List<FieldPath> paths, Collation collation) {
    return paths.stream().noneMatch(path -> path.toString().startsWith("many"));
  }

  @Override
  public void change(Target collection, Filter which, Change change) {
    List<Document> all = collections.computeIfAbsent(collection, _ -> new ArrayList<>());
    Matcher matcher = which.matcher(Mode.MATCH);
    for (int i = 0; i < all.size(); i++) {
      if (matcher.matches(all.get(i))) {
        int at = i;
        change.apply(Optional.of(all.get(i))).ifPresent(after -> all.set(at, after));
        return;
      }
    }
    change.apply(Optional.empty()).ifPresent(all::add);
  }

  @Override
  public Value newId() {
    return Value.of("id" + ++ids);
  }

  private List<Document> select(Target collection, Query query) {
    Matcher matcher = query.filter().matcher(query.mode());
    Stream<Document> found =
        collections.getOrDefault(collection, List.of()).stream().filter(matcher::matches);
    if (!query.order().isEmpty()) {
      found = found.sorted(new DocumentComparator(query.order(), query.mode()));
    }
    return found.skip(query.skip()).limit(query.limit()).toList();
  }

  /** Counts down when it is closed. */
  private final class Closing implements Rows {
    private final Rows rows;
    private boolean closed;

    Closing(Rows rows) {
      this.rows = rows;
    }

    @Override
    public boolean next() {
      if (closed) {
        throw new IllegalStateException("closed");
      }
      return rows.next();
    }

    @Override
    public Document current() {
      return rows.current();
    }

    @Override
    public void close() {
      open -= closed ? 0 : 1;
      closed = true;
    }
  }
}
