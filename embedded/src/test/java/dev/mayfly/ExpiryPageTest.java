package dev.mayfly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.ExpiryService.Life;
import dev.mayfly.engine.ExpiryService.NeverExpiring;
import dev.mayfly.engine.ExpiryService.NewLife;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.ExpiryService.Touched;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Runs the Java examples of docs/expiry.md. */
final class ExpiryPageTest {
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private final ManualClock clock =
      new ManualClock(Instant.parse("2026-11-18T11:59:59.999Z").toEpochMilli());
  @AutoClose private final Mayfly mayfly = Mayfly.inMemory(clock);

  @Test
  void documentsExpireByTextWithATime() {
    CollectionSpec spec =
        CollectionSpec.mongo()
            .withIndex(IndexSpec.implicit("end_1", Part.ascending(FieldPath.of("end"))))
            .withTimeToLive(
                TimeToLive.NONE
                    .withIndex("end_1", 0)
                    .withIndexFormat("end_1", TimeFormat.ISO_8601));
    Collection offers = mayfly.create("shop", "offers", spec);
    offers.insert(Document.writer().put("_id", 1).put("end", "2026-11-18T12:00:00Z").build());
    offers.insert(Document.writer().put("_id", 2).put("end", "soon").build()); // never expires
    assertThat(offers.count(Filter.all())).isEqualTo(2);
    clock.advance(Duration.ofMillis(1));
    assertThat(offers.count(Filter.all())).isEqualTo(1);
    whyADocumentDoesNotExpire(offers);
  }

  private static void whyADocumentDoesNotExpire(Collection offers) {
    Life life = offers.expiry().explain(List.of(DocumentKey.of(Value.of(2)))).getFirst();
    String why = life.never().orElseThrow().why(); // "`end` is a string, but not an ISO 8601 time."
    NeverExpiring never = offers.expiry().neverExpiring(1_000); // by reason, with examples
    OptionalLong all = offers.expiry().countNeverExpiring(() -> false); // 1
    assertThat(why).isEqualTo("`end` is a string, but not an ISO 8601 time.");
    assertThat(never.never()).singleElement().matches(cause -> cause.documents() == 1);
    assertThat(all).hasValue(1);
  }

  @Test
  void manyDocumentsGetADeadline() {
    CollectionSpec spec = CollectionSpec.mongo().withDefaultTtl(60);
    Collection carts = mayfly.create("shop", "carts", spec);
    carts.insert(Document.writer().put("_id", 1).put("status", "gold").build());
    carts.insert(Document.writer().put("_id", 2).build());
    Query gold = Query.of(Filter.equal(FieldPath.of("status"), Value.of("gold")), Mode.MATCH);
    Touch week = Touch.of(new NewLife.Until(clock.now() + Duration.ofDays(7).toMillis()));
    Touched touched = carts.expiry().touch(gold, week, () -> false); // touched.touched() is 1
    assertThat(touched.touched()).isEqualTo(1);
    clock.advance(Duration.ofDays(6));
    assertThat(carts.count(Filter.all())).isEqualTo(1);
  }

  @Test
  void boundedCollectionEvicts() {
    CollectionSpec bounded = CollectionSpec.mongo().withDefaultTtl(60).withLimits(0, 1);
    Collection latest = mayfly.create("shop", "latest", bounded);
    latest.insert(Document.writer().put("_id", 1).put("ttl", 30).build());
    latest.insert(Document.writer().put("_id", 2).put("ttl", 10).build()); // evicts 1
    assertThat(latest.count(Filter.all())).isEqualTo(1);
  }

  @Test
  void examplesAreOnThePage() throws Exception {
    String here = Files.readString(Path.of("src/test/java/dev/mayfly/ExpiryPageTest.java"));
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(Path.of("../docs/expiry.md")))
            .results()
            .map(example -> example.group(1).indent(4).replaceAll("(?m)^ +$", "").stripTrailing())
            .toList();
    assertThat(examples).isNotEmpty().allMatch(here::contains);
  }
}
