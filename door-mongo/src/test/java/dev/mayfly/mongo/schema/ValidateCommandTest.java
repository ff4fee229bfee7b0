package dev.mayfly.mongo.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.store.Batch;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Range;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code validate} on a collection whose index has lost its entries. */
final class ValidateCommandTest {
  private final ManualClock clock = new ManualClock(SchemaFixture.START);
  private MemoryStore store = new MemoryStore();
  private Engine engine = openEngine();

  private Engine openEngine() {
    return LocalEngine.open(
        store, clock, EngineSettings.standard(clock::now).withBackground(false));
  }

  @BeforeEach
  void deleteIndexEntries() {
    IndexSpec index = IndexSpec.implicit("a_1", Part.ascending(FieldPath.of("a")));
    engine
        .create(new Namespace("d", "c"), CollectionSpec.mongo().withIndex(index))
        .insert(SchemaFixture.json("{'_id':1,'a':1}"));
    engine.close();
    store = store.reopen();
    for (int shard = 1; shard < 4; shard++) {
      store.own(shard).commit(new Batch().deleteRange(Space.ENTRIES, Range.all()));
    }
    engine = openEngine();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  private Document validate(String options) {
    String body = "{'validate':'c'" + options + ",'$db':'d'}";
    Client client = new Client(1, "127.0.0.1:50000", "127.0.0.1:27017");
    DocumentWriter reply = Document.writer();
    new ValidateCommand(new Namespaces(engine))
        .run(
            new Request(client, Operation.unlimited(0), SchemaFixture.json(body), Map.of()), reply);
    return reply.build();
  }

  @Test
  void missingEntriesAreReported() {
    Document reply = validate("");
    assertThat(reply.field("valid").asBoolean()).isFalse();
    assertThat(reply.field("repaired").asBoolean()).isFalse();
    assertThat(reply.field("errors").toString()).contains("d.c", "has no entry of");
  }

  @Test
  void repairRestoresMissingEntries() {
    Document reply = validate(",'repair':true");
    assertThat(reply.field("valid").asBoolean()).isTrue();
    assertThat(reply.field("repaired").asBoolean()).isTrue();
    assertThat(validate("").field("errors")).hasToString("[]");
  }

  @Test
  void scandataAndFullHaveNoEffect() {
    assertThat(validate(",'scandata':false,'full':false").field("errors"))
        .isEqualTo(validate("").field("errors"));
  }

  @Test
  void backgroundChecksDocumentsOnly() {
    assertThat(validate(",'background':true").field("valid").asBoolean()).isTrue();
    try {
      validate(",'background':true,'repair':true");
      throw new AssertionError("no error");
    } catch (CommandException refused) {
      assertThat(refused.code().number()).isEqualTo(72);
    }
  }
}
