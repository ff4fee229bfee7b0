package dev.mayfly.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Default TTL of a container and {@code ttl} of its documents, in all combinations. */
final class TimeToLiveMatrixTest {
  private static final long START = 1_700_000_000_700L;
  private static final long SECOND = 1_700_000_000_000L;
  private static final Namespace NAME = new Namespace("cosmos", "items");
  private static final DocumentKey KEY = DocumentKey.of("x", "1");

  private final ManualClock clock = new ManualClock(START);
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));

  @AfterEach
  void close() {
    engine.close();
  }

  /** Seconds after the second of the last write, or never. */
  @ParameterizedTest(name = "default {0}, ttl {1}: expires after {2}")
  @CsvSource({
    "off, absent, never",
    "off, -1, never",
    "off, 5, never",
    "-1, absent, never",
    "-1, -1, never",
    "-1, 5, 5",
    "10, absent, 10",
    "10, -1, never",
    "10, 1, 1",
    "10, 5, 5",
    "10, 20, 20",
    "10, 2147483647, 2147483647",
  })
  void documentExpiresByItsTtlOrTheDefault(String defaultTtl, String ttl, String expires) {
    LocalCollection items = engine.create(NAME, spec(defaultTtl));
    items.insert(ttl.equals("absent") ? item() : item(Value.of(Integer.parseInt(ttl))));
    boolean never = expires.equals("never");
    long deadline = never ? Deadline.NEVER : SECOND + Long.parseLong(expires) * 1000;
    assertThat(items.read(KEY).orElseThrow().deadline()).isEqualTo(deadline);
    clock.advance(never ? Duration.ofDays(36_500) : Duration.ofMillis(deadline - 1 - clock.now()));
    assertThat(items.read(KEY)).isPresent();
    if (!never) {
      clock.advance(Duration.ofMillis(1));
      assertThat(items.read(KEY)).isEmpty();
      assertThat(items.usage()).isEqualTo(Usage.NONE);
    }
  }

  @Test
  void ttlIsAnIntegerOfAnyNumberType() {
    LocalCollection items = engine.create(NAME, spec("10"));
    for (Value five : List.of(Value.of(5), Value.of(5L), Value.of(5.0))) {
      items.write(new Write.Upsert(item(five)));
      assertThat(items.read(KEY).orElseThrow().deadline()).isEqualTo(SECOND + 5_000);
    }
  }

  private static CollectionSpec spec(String defaultTtl) {
    CollectionSpec spec = CollectionSpec.cosmos("p");
    return defaultTtl.equals("off") ? spec : spec.withDefaultTtl(Long.parseLong(defaultTtl));
  }

  static Stream<Value> invalid() {
    return Stream.of(
        Value.of(0),
        Value.NULL,
        Value.of(-10),
        Value.of(2_147_483_648L),
        Value.of(1.5),
        Value.of(Double.NaN),
        Value.of(Double.POSITIVE_INFINITY),
        Value.of("60"),
        Value.of(true),
        Value.array(List.of(Value.of(5))));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void containerRejectsAnInvalidTtlEvenIfTtlIsOff(Value ttl) {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p"));
    for (long defaultTtl : new long[] {TimeToLive.OFF, TimeToLive.NEVER, 10}) {
      items.alter(spec -> spec.withTimeToLive(spec.timeToLive().withDefault(defaultTtl)));
      assertThatThrownBy(() -> items.insert(item(ttl)))
          .isInstanceOfSatisfying(
              EngineException.class,
              refused -> assertThat(refused.reason()).isEqualTo(EngineException.Reason.BAD_TTL));
      assertThat(items.read(KEY)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void acceptedInvalidTtlCountsAsAbsent(Value ttl) {
    CollectionSpec spec = CollectionSpec.cosmos("p");
    LocalCollection items =
        engine.create(NAME, spec.withTimeToLive(spec.timeToLive().withStrict(false)));
    items.insert(item(ttl));
    items.alter(loose -> loose.withDefaultTtl(10));
    assertThat(items.read(KEY).orElseThrow().deadline()).isEqualTo(SECOND + 10_000);
  }

  @ParameterizedTest
  @CsvSource({"0", "-2", "-10", "2147483648"})
  void defaultTtlOutOfRangeIsRejected(long seconds) {
    assertBadSpec(() -> CollectionSpec.cosmos("p").withDefaultTtl(seconds));
  }

  @Test
  void otherRulesOutOfRangeAreRejected() {
    TimeToLive rules = TimeToLive.NONE;
    assertBadSpec(() -> rules.withId(-1));
    assertBadSpec(() -> rules.withGrace(-1));
    assertBadSpec(() -> rules.withIndex("i", -1));
    assertBadSpec(() -> rules.withIndex("i", 2_147_483_648L));
    TimeToLive shortest = rules.withId(0).withGrace(0).withIndex("i", 0);
    assertThat(shortest.idSeconds()).isZero();
    assertThat(shortest.graceMillis()).isZero();
    assertThat(shortest.withIndex("j", 2_147_483_647).indexes())
        .isEqualTo(Map.of("i", 0L, "j", 2_147_483_647L));
  }

  private static void assertBadSpec(ThrowingCallable made) {
    assertThatThrownBy(made)
        .isInstanceOfSatisfying(
            EngineException.class,
            refused -> assertThat(refused.reason()).isEqualTo(EngineException.Reason.BAD_SPEC));
  }

  @Test
  void maximumDefaultTtlIsAccepted() {
    assertThatCode(() -> CollectionSpec.cosmos("p").withDefaultTtl(2_147_483_647))
        .doesNotThrowAnyException();
  }

  @Test
  void writesRestartTheTtlAndReadsDoNot() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withDefaultTtl(10));
    items.insert(item());
    clock.advance(Duration.ofSeconds(6));
    items.write(new Write.Replace(item()));
    assertThat(items.read(KEY).orElseThrow().deadline()).isEqualTo(SECOND + 16_000);
    clock.advance(Duration.ofSeconds(6));
    assertThat(items.read(KEY)).isPresent();
    items.write(new Write.Update(KEY, _ -> item(Value.of(3))));
    assertThat(items.read(KEY).orElseThrow().deadline()).isEqualTo(SECOND + 15_000);
    clock.advance(Duration.ofMillis(2300));
    assertThat(items.read(KEY)).isEmpty();
  }

  @Test
  void updateWithoutEffectDoesNotRestartTheTtl() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withDefaultTtl(10));
    items.insert(item());
    clock.advance(Duration.ofSeconds(6));
    assertThat(items.write(new Write.Update(KEY, same -> same)))
        .isInstanceOf(WriteOutcome.Unchanged.class);
    assertThat(items.read(KEY).orElseThrow().deadline()).isEqualTo(SECOND + 10_000);
  }

  @Test
  void touchRestartsTheTtl() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withDefaultTtl(10));
    items.insert(item());
    StoredDocument first = items.read(KEY).orElseThrow();
    clock.advance(Duration.ofSeconds(6));
    WriteOutcome outcome =
        items.write(new Write.Touch(KEY, StoredDocument::document, first.version()));
    StoredDocument second = items.read(KEY).orElseThrow();
    assertThat(outcome).isEqualTo(new WriteOutcome.Updated(first.document(), second));
    assertThat(second.deadline()).isEqualTo(SECOND + 16_000);
    assertThat(second.version()).isGreaterThan(first.version());
    assertThat(second.birth()).isEqualTo(first.version());
  }

  @Test
  void rejectionByAnUpdateFunctionUndoesItsGroup() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p"));
    items.insert(item());
    IllegalStateException why = new IllegalStateException("not today");
    Write refusing =
        new Write.Touch(
            KEY,
            _ -> {
              throw EngineException.rejected(why);
            },
            Write.ANY_VERSION);
    List<WriteOutcome> outcomes =
        items
            .write(List.of(new Write.Delete(KEY), refusing), Grouping.ATOMIC, Durability.LOGGED)
            .outcomes();
    assertThat(outcomes.getFirst()).isInstanceOf(WriteOutcome.Skipped.class);
    items.write(new Write.Upsert(item()));
    outcomes =
        items
            .write(
                List.of(new Write.Replace(item(Value.of(3))), refusing),
                Grouping.ATOMIC,
                Durability.LOGGED)
            .outcomes();
    assertThat(outcomes.getLast())
        .isInstanceOfSatisfying(
            WriteOutcome.Failed.class, failed -> assertThat(failed.failure()).hasCause(why));
    assertThat(items.read(KEY).orElseThrow().document()).isEqualTo(item());
  }

  @Test
  void expiredDocumentIsAbsentForEveryOperation() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p").withDefaultTtl(10));
    items.insert(item());
    long version = items.read(KEY).orElseThrow().version();
    clock.advance(Duration.ofSeconds(10));
    List<Write> refused =
        List.of(
            new Write.Replace(item()),
            new Write.Replace(item(), version),
            new Write.Update(KEY, same -> same),
            new Write.Touch(KEY, StoredDocument::document, Write.ANY_VERSION),
            new Write.Delete(KEY));
    for (Write write : refused) {
      assertThatThrownBy(() -> items.write(write))
          .isInstanceOfSatisfying(
              EngineException.class,
              absent -> assertThat(absent.reason()).isEqualTo(EngineException.Reason.NOT_FOUND));
    }
    assertThat(items.write(new Write.Upsert(item(), version)))
        .isInstanceOf(WriteOutcome.Inserted.class);
  }

  @Test
  void ttlPropertyReplacesTheLastWrite() {
    CollectionSpec spec = CollectionSpec.cosmos("p").withDefaultTtl(10);
    LocalCollection items =
        engine.create(NAME, spec.withTimeToLive(spec.timeToLive().withProperty("made.at")));
    items.insert(
        Document.writer()
            .put("id", "1")
            .put("p", "x")
            .startDocument("made")
            .put("at", SECOND / 1000 - 4)
            .end()
            .build());
    items.insert(Document.writer().put("id", "2").put("p", "x").build());
    assertThat(items.read(KEY).orElseThrow().deadline()).isEqualTo(SECOND + 6_000);
    assertThat(items.read(DocumentKey.of("x", "2")).orElseThrow().deadline())
        .isEqualTo(Deadline.NEVER);
  }

  @Test
  void ttlPropertyNeedsADefaultTtl() {
    assertThatThrownBy(() -> TimeToLive.NONE.withProperty("at"))
        .isInstanceOf(EngineException.class);
  }

  private static Document item() {
    return base().build();
  }

  private static Document item(Value ttl) {
    return base().put("ttl", ttl).build();
  }

  private static DocumentWriter base() {
    return Document.writer().put("id", "1").put("p", "x");
  }
}
