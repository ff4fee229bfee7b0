package dev.mayfly.mongo.access;

import dev.mayfly.engine.Explanation;
import dev.mayfly.engine.Explanation.Access;
import dev.mayfly.mql.parser.GeoSyntax;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.query.geo.NearQuery;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Function;

/**
 * Documents of a {@code $near} query in the order of their distance.
 *
 * <p>Searches rings around the point, from the inside out, with one query per ring. Only the
 * documents of one ring are in memory; the width of the next ring follows from their number. A
 * document that another writer moves between two rings may be missed or, if it moves outward,
 * returned twice. Without a 2dsphere index there is one ring that contains everything. For one
 * thread.
 */
final class NearestFirst implements FoundRows {
  /** In radians; about a kilometre. */
  private static final double FIRST_WIDTH = 1.6e-4;

  /** The next ring is wider after a ring with fewer documents, narrower after one with more. */
  private static final int FEW = 150;

  private static final int MANY = 600;

  /** A ring with more documents is divided unless it is at most {@link #NARROWEST} wide. */
  private static final int TOO_MANY = 10_000;

  /** In radians. */
  private static final double NARROWEST = 1e-9;

  private static final Comparator<Row> BY_DISTANCE = Comparator.comparingDouble(Row::distance);

  private final Query query;
  private final Filter.Geo place;
  private final NearQuery near;
  private final Function<Query, FoundRows> source;
  private final boolean divisible;
  private final List<Row> ring = new ArrayList<>();
  private Explanation explanation;
  private long keys;
  private long matched;
  private long documents;
  private double width;
  private double done;
  private int at;
  private long skip;
  private long left;
  private boolean started;

  private record Row(Document document, long version, long number, double distance) {}

  private NearestFirst(
      Query query,
      Filter.Geo place,
      NearQuery near,
      Explanation explanation,
      Function<Query, FoundRows> source) {
    this.query = query;
    this.place = place;
    this.near = near;
    this.source = source;
    this.explanation = explanation;
    this.divisible = near.onSphere() && explanation.access() instanceof Access.Index;
    this.width = divisible ? FIRST_WIDTH : Double.POSITIVE_INFINITY;
    this.done = near.from();
    this.skip = query.skip();
    this.left = query.limit();
  }

  /** Whether a query contains {@code $near}. */
  static boolean serves(Query query) {
    return GeoSyntax.nearness(query.filter()).isPresent();
  }

  /**
   * Runs a query, nearest first if it contains {@code $near} and has no sort.
   *
   * @param source runs queries without {@code $near}
   */
  static FoundRows of(
      Query query, CollectionOperations documents, Function<Query, FoundRows> source) {
    Optional<Filter.Geo> place = GeoSyntax.nearness(query.filter());
    if (place.isEmpty()) {
      return source.apply(query);
    }
    NearQuery near = place.get().region().nearness().orElseThrow();
    GeoIndexes.require(documents, place.get(), near);
    return query.order().isEmpty()
        ? new NearestFirst(query, place.get(), near, documents.explain(query), source)
        : source.apply(query);
  }

  @Override
  public boolean next() {
    while (skip > 0 && advance()) {
      skip--;
    }
    if (left == 0 || !advance()) {
      return false;
    }
    left--;
    return true;
  }

  private boolean advance() {
    at++;
    while (at >= ring.size()) {
      if (started && done >= near.to()) {
        return false;
      }
      fetch();
      at = 0;
    }
    return true;
  }

  /** Fetches the next ring, which may be empty. */
  private void fetch() {
    double end = Math.min(near.to(), done + width);
    while (!fetch(end)) {
      width /= 4;
      end = Math.min(near.to(), done + width);
    }
    ring.sort(BY_DISTANCE);
    done = end;
    started = true;
    if (ring.size() < FEW) {
      width *= ring.isEmpty() ? 4 : 2;
    } else if (ring.size() > MANY) {
      width /= 2;
    }
  }

  /** Fetches a ring that ends there; false if it has too many documents and can be divided. */
  private boolean fetch(double end) {
    long wanted = left > Long.MAX_VALUE - skip ? Long.MAX_VALUE : left + skip;
    PriorityQueue<Row> nearest = new PriorityQueue<>(BY_DISTANCE.reversed());
    try (FoundRows found = source.apply(within(end))) {
      while (found.next()) {
        take(found, end, nearest);
        if (nearest.size() > wanted) {
          nearest.remove();
        }
        if (divisible && nearest.size() > TOO_MANY && end - done > NARROWEST) {
          return false;
        }
      }
      count(found.explain());
    }
    ring.clear();
    ring.addAll(nearest);
    return true;
  }

  /** The nearest point of a document counts, so an earlier ring may already contain it. */
  private void take(FoundRows found, double end, PriorityQueue<Row> nearest) {
    double distance =
        near.nearest(found.current(), place.path())
            .map(NearQuery.Found::distance)
            .orElse(Double.POSITIVE_INFINITY);
    boolean here = started ? distance > done : distance >= done;
    if (here && distance <= end) {
      nearest.add(new Row(found.current(), found.version(), found.number(), distance));
    }
  }

  private Query within(double end) {
    List<Filter> conjuncts = new ArrayList<>(query.filter().conjuncts());
    conjuncts.remove(place);
    conjuncts.addFirst(new Filter.Geo(place.path(), near.between(done, end).region()));
    return Query.of(Filter.and(conjuncts), query.mode()).withHint(query.hint());
  }

  private void count(Explanation of) {
    keys += of.keysExamined();
    documents += of.documentsExamined();
    matched += of.documentsMatched();
    explanation = new Explanation(explanation.access(), false, keys, documents, matched);
  }

  @Override
  public Document current() {
    return ring.get(at).document();
  }

  @Override
  public long version() {
    return ring.get(at).version();
  }

  @Override
  public long number() {
    return ring.get(at).number();
  }

  /** Empty: the index key is a cell on the sphere, not a value of the document. */
  @Override
  public Document indexKey() {
    return Document.EMPTY;
  }

  @Override
  public Explanation explain() {
    return explanation;
  }

  @Override
  public void close() {
    ring.clear();
    left = 0;
  }
}
