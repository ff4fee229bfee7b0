package dev.mayfly;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.Warnings;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Runs the Java examples of docs/on-expire.md. */
final class OnExpirePageTest {
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);

  private final List<String> reminded = new ArrayList<>();

  @AutoClose
  private final Mayfly mayfly =
      Mayfly.inMemory(clock, MayflySettings.standard().withBackground(false));

  @Test
  void expiredDocumentsMove() {
    mayfly.create("archive", "orders", CollectionSpec.mongo());
    Collection orders =
        mayfly.create(
            "shop",
            "orders",
            CollectionSpec.mongo()
                .withDefaultTtl(60)
                .withOnExpire(OnExpire.moveTo("archive", "orders")));
    orders.insert(Document.writer().put("_id", 1).put("total", 12.5).build());
    clock.advance(Duration.ofSeconds(60));
    mayfly.engine().workUntilIdle();
    assertThat(orders.count(Filter.all())).isZero();
    assertThat(mayfly.collection("archive", "orders").count(Filter.all())).isEqualTo(1);
  }

  @Test
  void documentsAreReportedBeforeTheyExpire() {
    Collection carts = mayfly.create("shop", "carts", CollectionSpec.mongo().withDefaultTtl(50));
    carts.insert(Document.writer().put("_id", "c1").build());
    ExpiryService expiry = mayfly.collection("shop", "carts").expiry();
    Warnings soon = expiry.warnings("", Duration.ofMinutes(1).toMillis(), 100);
    soon.documents().forEach(due -> remind(due.stored().document()));
    Warnings later = expiry.warnings(soon.next(), Duration.ofMinutes(1).toMillis(), 100);
    assertThat(reminded).containsExactly("c1");
    assertThat(later.documents()).isEmpty();
  }

  private void remind(Document cart) {
    reminded.add(cart.field("_id").asString());
  }

  @Test
  void theExamplesAreOnThePage() throws Exception {
    String here = Files.readString(Path.of("src/test/java/dev/mayfly/OnExpirePageTest.java"));
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(Path.of("../docs/on-expire.md")))
            .results()
            .map(example -> example.group(1).indent(4).stripTrailing())
            .toList();
    assertThat(examples).isNotEmpty().allMatch(here::contains);
  }
}
