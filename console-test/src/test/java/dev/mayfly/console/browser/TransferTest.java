package dev.mayfly.console.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.mayfly.console.browser.Console.button;
import static dev.mayfly.console.browser.Console.edit;
import static dev.mayfly.console.browser.Console.inDialog;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.FilePayload;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.testkit.MayflyExtension;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Import and export of documents: no type is lost, both can be stopped. */
class TransferTest {
  /** Types that JSON does not have, and numbers that JavaScript would change. */
  private static final String TYPES =
      """
      {"_id": {"$oid": "65a1b2c3d4e5f60718293a4b"}, "long": {"$numberLong": "9007199254740993"},
       "small": {"$numberLong": "5"}, "whole": {"$numberDouble": "5.0"},
       "decimal": {"$numberDecimal": "12.500"}, "at": {"$date": {"$numberLong": "1767225600123"}},
       "old": {"$date": {"$numberLong": "-62135596800001"}},
       "bytes": {"$binary": {"base64": "AAECAwQ=", "subType": "80"}},
       "uuid": {"$binary": {"base64": "o/WwGaT1RZ2y91dCRRh/rg==", "subType": "04"}},
       "regex": {"$regularExpression": {"pattern": "a/b\\"{", "options": "i"}},
       "time": {"$timestamp": {"t": 7, "i": 1}}, "least": {"$minKey": 1},
       "text": "</script> \\u202e {\\"$date\\": 1} [", "nothing": null,
       "list": [1, {"$numberLong": "1"}, {"$numberDouble": "-0.0"}, {"$numberDouble": "NaN"}]}
      """;

  private static final String ITEM =
      """
      {"id": "one", "customer": "ada", "long": 9007199254740993, "double": 0.1, "big": 1e300,
       "date": "2026-01-01T00:00:00.123Z", "bytes": "AAECAwQ=", "nothing": null, "yes": true,
       "text": "</script> \\u202e {\\"$date\\": 1} [", "list": [1, "1", {"deep": [[]]}]}
      """;

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory().withDoors();
  @RegisterExtension final Console console = new Console(mayfly);

  @Test
  void aCollectionIsExportedAndImportedWithoutALostType() throws IOException {
    Document all = ExtendedJson.parse(TYPES, Limits.MONGO);
    Collection from = mayfly.create("from", CollectionSpec.mongo());
    Collection to = mayfly.create("to", CollectionSpec.mongo());
    from.insert(all);
    for (String format : List.of("One document a line", "An array")) {
      Page page = console.open("c/test/from/transfer");
      byte[] file = export(page, format);
      console.go(page, "c/test/to/transfer");
      load(page, file);
      assertThat(page.locator("m-transfer")).containsText("Done: 1 document inserted, 0 refused");
      DocumentKey key = DocumentKey.of(all.field("_id"));
      Assertions.assertThat(to.read(key).orElseThrow().document()).isEqualTo(all);
      to.write(new dev.mayfly.engine.Write.Delete(key));
    }
  }

  @Test
  void aContainerIsExportedAndImportedWithoutALostType() throws IOException {
    Shop.container(mayfly, "shop", "from", -1);
    Shop.container(mayfly, "other", "to", -1);
    Shop.insert(mayfly, "cosmos:shop", "from", ITEM);
    Page page = console.open("c/cosmos%3Ashop/from/transfer");
    byte[] file = export(page, "One document a line");
    console.go(page, "c/cosmos%3Aother/to/transfer");
    load(page, file);
    assertThat(page.locator("m-transfer")).containsText("Done: 1 document inserted, 0 refused");
    DocumentKey key = new DocumentKey(List.of(Value.of("ada")), Value.of("one"));
    Document before = Shop.collection(mayfly, "cosmos:shop", "from").read(key).get().document();
    Document after = Shop.collection(mayfly, "cosmos:other", "to").read(key).get().document();
    for (String field :
        List.of("long", "double", "big", "date", "bytes", "nothing", "yes", "text", "list")) {
      Assertions.assertThat(after.field(field)).as(field).isEqualTo(before.field(field));
      Assertions.assertThat(after.field(field).type()).isEqualTo(before.field(field).type());
    }
    Assertions.assertThat(after.field("long").asLong()).isEqualTo(9_007_199_254_740_993L);
  }

  @Test
  void exactlyWhatAQueryFindsIsExported() throws IOException {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo());
    for (int i = 0; i < 500; i++) {
      notes.insert(Document.writer().put("_id", i).put("even", i % 2 == 0).build());
    }
    Page page = console.open("c/test/notes/documents");
    edit(page, "Filter", "{even: true}");
    button(page, "Run").click();
    assertThat(page.locator("m-documents")).containsText("50 documents shown, more follow");
    button(page, "Export…").click();
    Download file = page.waitForDownload(() -> inDialog(page, "Export").click());
    List<String> lines = Files.readAllLines(file.path(), UTF_8);
    Assertions.assertThat(lines).hasSize(250).allMatch(line -> line.contains("\"even\":true"));

    button(page, "Export…").click();
    page.getByLabel("All 500 documents").check();
    page.getByLabel("Format").selectOption("CSV");
    Download all = page.waitForDownload(() -> inDialog(page, "Export").click());
    Assertions.assertThat(Files.readAllLines(all.path(), UTF_8))
        .hasSize(501)
        .startsWith("_id,even", "0,true", "1,false");
    Assertions.assertThat(all.suggestedFilename()).isEqualTo("notes.csv");
  }

  @Test
  void anImportIsPausedAndGoesOnWhereItStopped() {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo());
    notes.insert(Document.writer().put("_id", 7).put("old", true).build());
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      lines.append("{\"_id\":").append(i).append("}\n");
    }
    Page page = console.open("c/test/notes/transfer");
    Held second = Held.nth(2, page, Held.containing("/insert", ""));
    load(page, lines.toString().getBytes(UTF_8));
    second.await();
    button(page, "Pause").click();
    second.letGo();
    assertThat(page.locator("m-transfer"))
        .containsText("Paused: 399 documents inserted, 1 refused");
    assertThat(page.locator("m-transfer")).containsText("Document 8: ");
    Assertions.assertThat(notes.usage().documents()).isEqualTo(400);

    button(page, "Go on after 400 documents").click();
    assertThat(page.locator("m-transfer")).containsText("Done: 999 documents inserted, 1 refused");
    Assertions.assertThat(notes.usage().documents()).isEqualTo(1000);
    Document kept = notes.read(DocumentKey.of(Value.of(7))).orElseThrow().document();
    Assertions.assertThat(kept.field("old")).isEqualTo(Value.TRUE);
  }

  @Test
  void aFileThatIsNoListOfDocumentsIsRefusedWithItsLine() {
    Collection notes = mayfly.create("notes", CollectionSpec.mongo());
    Page page = console.open("c/test/notes/transfer");
    load(page, "name,age\nada,36\n".getBytes(UTF_8));
    assertThat(page.locator("m-transfer .problem")).containsText("Line 1: '{' is missing");
    Assertions.assertThat(notes.usage().documents()).isZero();
  }

  private static byte[] export(Page page, String format) throws IOException {
    page.getByLabel("Format").selectOption(format);
    Download file = page.waitForDownload(() -> button(page, "Export all 1 document").click());
    return Files.readAllBytes(file.path());
  }

  private static void load(Page page, byte[] content) {
    page.locator("#import-file")
        .setInputFiles(new FilePayload("documents.jsonl", "application/json", content));
    button(page, "Import").click();
  }
}
