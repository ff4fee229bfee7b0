package dev.mayfly.engine.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values that are truncated in an index. */
final class LongValueTest {
  private static final FieldPath TEXT = FieldPath.of("text");
  private static final String LONG = "m".repeat(100_000);

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final LocalEngine engine =
      LocalEngine.open(
          MemoryStore.withFilters(),
          clock,
          EngineSettings.standard(clock::now).withBackground(false));

  @AfterEach
  void close() {
    engine.close();
  }

  private LocalCollection notes(IndexSpec index) {
    return engine.create(new Namespace("db", "notes"), CollectionSpec.mongo().withIndex(index));
  }

  private static Document note(int id, String text) {
    return Document.writer().put("_id", id).put("text", text).build();
  }

  @Test
  void longValuesAreFoundByTheirFullContent() {
    LocalCollection notes = notes(IndexSpec.implicit("text_1", Part.ascending(TEXT)));
    notes.insert(note(1, LONG + "a"));
    notes.insert(note(2, LONG + "b"));
    notes.insert(note(3, "n"));
    notes.insert(note(4, "a"));
    assertThat(ids(notes, Operator.EQ, LONG + "a")).containsExactly(1);
    assertThat(ids(notes, Operator.GT, LONG + "a")).containsExactly(2, 3);
    assertThat(ids(notes, Operator.GTE, LONG + "b")).containsExactly(2, 3);
    assertThat(ids(notes, Operator.LT, LONG + "b")).containsExactly(4, 1);
    assertThat(ids(notes, Operator.LTE, LONG)).containsExactly(4);
    assertThat(ids(notes, Operator.GT, "m")).containsExactly(1, 2, 3);
    notes.write(new Write.Replace(note(1, "z")));
    notes.write(new Write.Delete(DocumentKey.of(Value.of(2))));
    assertThat(ids(notes, Operator.GT, "b")).containsExactly(3, 1);
  }

  @Test
  void longValuesCannotBeUnique() {
    LocalCollection notes = notes(IndexSpec.implicit("u", Part.ascending(TEXT)).withUnique(true));
    assertThatThrownBy(() -> notes.insert(note(1, LONG)))
        .isInstanceOfSatisfying(
            EngineException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.CANNOT_INDEX));
  }

  private static List<Integer> ids(LocalCollection notes, Operator operator, String text) {
    List<Integer> ids = new ArrayList<>();
    Filter filter = new Filter.Compare(TEXT, operator, Value.of(text));
    try (QueryCursor cursor =
        notes.query(Query.of(filter, Mode.MATCH).orderedBy(Sort.ascending(TEXT)))) {
      assertThat(cursor.plan()).startsWith("index text_1");
      while (cursor.next()) {
        ids.add(cursor.document().field("_id").asInt());
      }
    }
    return ids;
  }
}
