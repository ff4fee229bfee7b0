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
 * Documents from the nearest to the farthest.
 *
 * <p>Looks for them in rings around the point, one ring after the other, each as wide as seems
 * right after the one before; only the documents of one ring are kept and sorted at a time. Each
 * ring is a query of its own: what moves meanwhile may be missed or, when it moves outward, met
 * again. Where no index helps, all documents are looked at once, in one ring.
 */
final class NearestFirst implements FoundRows {
  /** About a kilometre. */
  private static final double FIRST_WIDTH = 1.6e-4;

  /** Rings are made wider below the one number, and narrower above the other. */
  private static final int FEW = 150;

  private static final int MANY = 600;

  /** A ring with more than that is divided, unless it is so narrow that it cannot be. */
  private static final int TOO_MANY = 10_000;

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

  /**
   * What a query asks for: nearest first if it wants that and no other order.
   *
   * @param source what answers queries that do not want that
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

  /** Fetches what lies up to there; false when that is too much and there is a way to take less. */
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

  /** A document with several places counts by the nearest, which an earlier ring may have had. */
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

  /** The cells of the sphere that led here are nothing that a document has. */
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
