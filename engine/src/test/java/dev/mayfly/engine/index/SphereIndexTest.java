package dev.mayfly.engine.index;

import static dev.mayfly.query.testing.Docs.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Sort;
import dev.mayfly.query.geo.RandomGeometry;
import dev.mayfly.query.geo.Region;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Spherical indexes: keys of documents, and bounds of filters. */
@ExtendWith(SeedExtension.class)
final class SphereIndexTest {
  private static final int DOCUMENTS = 200;
  private static final int QUERIES = 80;

  private static final IndexSpec LOC = IndexSpec.implicit("loc", Part.sphere(path("loc")));
  private static final IndexSpec KIND_LOC =
      IndexSpec.implicit("kind_loc", Part.ascending(path("kind")), Part.sphere(path("loc")));
  private static final IndexSpec LOC_KIND =
      IndexSpec.implicit("loc_kind", Part.sphere(path("loc")), Part.descending(path("kind")));
  private static final IndexSpec DEEP = IndexSpec.implicit("deep", Part.sphere(path("at.loc")));
  private static final Filter NEAR = new Filter.Geo(path("loc"), Region.cap(1, 2, 0.1));

  @Test
  void onlyDocumentsWithAGeometryHaveKeys() {
    assertThat(keys(LOC, doc("{loc: [1, 2]}"))).hasSize(1);
    assertThat(keys(LOC, doc("{loc: {lng: 1, lat: 2}}"))).hasSize(1);
    assertThat(keys(LOC, doc("{a: 1}"))).isEmpty();
    assertThat(keys(LOC, doc("{loc: null}"))).isEmpty();
    assertThat(keys(LOC, doc("{loc: []}"))).isEmpty();
    assertThat(keys(KIND_LOC, doc("{kind: 1}"))).isEmpty();
    assertThat(keys(KIND_LOC, doc("{kind: [1, 2], loc: [1, 2]}"))).hasSize(2);
  }

  @Test
  void allGeometriesInAnArrayHaveKeys() {
    assertThat(keys(DEEP, doc("{at: [{loc: [1, 2]}, {loc: [50, 2]}, {x: 1}, 5]}"))).hasSize(2);
  }

  @Test
  void invalidGeometryIsRejected() {
    for (String loc : List.of("5", "'x'", "['a', 'b']", "[200, 10]", "{type: 'Point'}", "[1]")) {
      assertThatThrownBy(() -> keys(LOC, doc("{loc: " + loc + "}")))
          .as(loc)
          .isInstanceOfSatisfying(
              IndexException.class,
              e -> assertThat(e.reason()).isEqualTo(IndexException.Reason.BAD_GEOMETRY));
    }
  }

  @Test
  void indexIsUsedForGeoFiltersOnly() {
    Filter kind = Filter.equal(path("kind"), Value.of(1));

    assertThat(match(KIND_LOC, kind)).isEmpty();
    assertThat(match(LOC, Filter.equal(path("loc"), Value.of(1)))).isEmpty();
    assertThat(match(LOC, Filter.all())).isEmpty();
    assertThat(match(LOC, new Filter.Geo(path("loc"), Region.box(0, 0, 1, 1)))).isEmpty();
    assertThat(match(KIND_LOC, Filter.and(List.of(kind, NEAR))).orElseThrow().bounds().parts())
        .isEqualTo(2);
    assertThat(match(LOC_KIND, NEAR).orElseThrow().bounds().exact()).isFalse();
  }

  @Test
  void indexGivesNoOrder() {
    Optional<IndexMatch> match = IndexMatch.of(LOC, NEAR, List.of(Sort.ascending(path("loc"))), 0);
    assertThat(match.orElseThrow().direction()).isEqualTo(IndexMatch.Direction.UNORDERED);
  }

  @Test
  void storedFormIsDecoded() {
    assertThat(IndexSpec.of(KIND_LOC.toDocument())).isEqualTo(KIND_LOC);
  }

  @Test
  void everyMatchHasAKeyInTheBounds(Random random) {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(document(random));
    }
    int answers = 0;
    for (int i = 0; i < QUERIES; i++) {
      Filter filter = filter(random);
      Matcher matcher = filter.matcher(Mode.MATCH);
      for (IndexSpec spec : List.of(LOC, KIND_LOC, LOC_KIND)) {
        IndexMatch match = match(spec, filter).orElseThrow();
        for (Document document : documents) {
          if (matcher.matches(document)) {
            answers++;
            assertThat(keys(spec, document))
                .as("%s for %s in %s", document, filter, spec.name())
                .anyMatch(key -> inside(match, key));
          }
        }
      }
    }
    assertThat(answers).isPositive();
  }

  @Test
  void smallRegionsScanFewKeys(Random random) {
    int read = 0;
    for (int i = 0; i < 1_000; i++) {
      double longitude = random.nextDouble(-180, 180);
      double latitude = random.nextDouble(-90, 90);
      Document document = doc("{loc: [" + longitude + ", " + latitude + "]}");
      IndexMatch match = match(LOC, NEAR).orElseThrow();
      read += inside(match, keys(LOC, document).getFirst()) ? 1 : 0;
    }
    // The cap is a quarter of a percent of the sphere.
    assertThat(read).isLessThan(20);
  }

  private static boolean inside(IndexMatch match, byte[] key) {
    return match.bounds().ranges().stream().anyMatch(range -> range.contains(key));
  }

  private static Document document(Random random) {
    DocumentWriter document = Document.writer();
    if (random.nextInt(4) > 0) {
      document.put("kind", random.nextInt(3));
    }
    return random.nextInt(8) > 0
        ? document.put("loc", RandomGeometry.any(random)).build()
        : document.build();
  }

  private static Filter filter(Random random) {
    Filter place = new Filter.Geo(path("loc"), RandomGeometry.region(random));
    return random.nextBoolean()
        ? place
        : Filter.and(List.of(Filter.equal(path("kind"), Value.of(random.nextInt(3))), place));
  }

  private static Optional<IndexMatch> match(IndexSpec spec, Filter filter) {
    return IndexMatch.of(spec, filter, List.of(), -1);
  }

  /** Extended JSON with names unquoted and texts in single quotes. */
  private static Document doc(String text) {
    String json = text.replaceAll("([{,] ?)([a-z]+):", "$1\"$2\":").replace('\'', '"');
    return ExtendedJson.parse(json, Limits.MONGO);
  }

  private static List<byte[]> keys(IndexSpec spec, Document document) {
    List<byte[]> keys = new ArrayList<>();
    new IndexKeys(spec)
        .extract(document, (buffer, length) -> keys.add(Arrays.copyOf(buffer, length)));
    return keys;
  }
}
