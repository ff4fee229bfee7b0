package dev.mayfly.mongo.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code bulkWrite}: inserts, updates and deletes in several collections. */
final class BulkWriteTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private static final String NAMES = ",'nsInfo':[{'ns':'d.c'},{'ns':'e.f'}]";

  private Document bulk(String operations, String options) {
    return shell.admin("{'bulkWrite':1,'ops':[" + operations + "]" + NAMES + options + "}");
  }

  private static List<String> results(Document reply) {
    return Shell.batch(reply.field("cursor").asDocument());
  }

  private static String totals(Document reply) {
    StringBuilder totals = new StringBuilder();
    for (String name :
        List.of("nErrors", "nInserted", "nMatched", "nModified", "nUpserted", "nDeleted")) {
      totals.append(reply.field(name).asInt());
    }
    return totals.toString();
  }

  @Test
  void invalidBatchSizeFailsBeforeAnyWrite() {
    String insert = "{'bulkWrite':1,'ops':[{'insert':0,'document':{'_id':1}}]" + NAMES;
    assertThat(shell.adminError(insert + ",'cursor':{'batchSize':-1}}")).startsWith("51024 ");
    assertThat(totals(bulk("{'insert':0,'document':{'_id':1}}", ""))).isEqualTo("010000");
  }

  @Test
  void insertsUpdatesAndDeletesAreExecuted() {
    var reply =
        bulk(
            "{'insert':0,'document':{'_id':1,'a':1}},{'insert':1,'document':{'_id':5}},"
                + "{'update':0,'filter':{'_id':1},'updateMods':{'$inc':{'a':1}}},"
                + "{'update':0,'filter':{},'updateMods':{'$set':{'b':1}},'multi':true},"
                + "{'update':1,'filter':{'_id':6},'updateMods':{'z':1},'upsert':true},"
                + "{'delete':1,'filter':{'_id':5}},{'delete':0,'filter':{},'multi':true}",
            "");
    assertThat(totals(reply)).isEqualTo("022212");
    assertThat(results(reply))
        .containsExactly(
            "{'ok':1.0,'idx':0,'n':1}",
            "{'ok':1.0,'idx':1,'n':1}",
            "{'ok':1.0,'idx':2,'n':1,'nModified':1}",
            "{'ok':1.0,'idx':3,'n':1,'nModified':1}",
            "{'ok':1.0,'idx':4,'n':1,'nModified':0,'upserted':{'_id':6}}",
            "{'ok':1.0,'idx':5,'n':1}",
            "{'ok':1.0,'idx':6,'n':1}");
    assertThat(reply.field("cursor").asDocument().field("ns").asString())
        .isEqualTo("admin.$cmd.bulkWrite");
    assertThat(shell.found("{}")).isEmpty();
  }

  @Test
  void orderedBulkWriteStopsAtTheFirstError() {
    String operations =
        "{'insert':0,'document':{'_id':1}},{'insert':0,'document':{'_id':1}},"
            + "{'insert':0,'document':{'_id':2}}";
    var ordered = bulk(operations, "");
    assertThat(totals(ordered)).isEqualTo("110000");
    assertThat(results(ordered).getLast())
        .startsWith("{'ok':0.0,'idx':1,'code':11000,'errmsg':'E11000 duplicate key")
        .contains("'keyPattern':{'_id':1}");
    var unordered = bulk(operations, ",'ordered':false");
    assertThat(totals(unordered)).isEqualTo("210000");
    assertThat(results(unordered)).hasSize(3);
  }

  @Test
  void errorsOnlyOmitsSuccessfulResults() {
    var reply =
        bulk(
            "{'insert':0,'document':{'_id':1}},{'insert':0,'document':{'_id':1}}",
            ",'errorsOnly':true");
    assertThat(totals(reply)).isEqualTo("110000");
    assertThat(results(reply)).hasSize(1);
    assertThat(results(bulk("{'insert':0,'document':{'_id':2}}", ",'errorsOnly':true"))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'bulkWrite':1,'ops':[],'nsInfo':[{'ns':'d.c'}]}|16
          {'bulkWrite':1,'ops':[{'insert':1,'document':{}}],'nsInfo':[{'ns':'d.c'}]}|2
          {'bulkWrite':1,'ops':[{'shout':0,'document':{}}],'nsInfo':[{'ns':'d.c'}]}|9
          {'bulkWrite':1,'ops':[{'insert':0,'document':{}}],'nsInfo':[{'ns':'d'}]}|73
          {'bulkWrite':1,'ops':[{'insert':0}],'nsInfo':[{'ns':'d.c'}]}|40414
          {'bulkWrite':1,'ops':[{'update':0,'filter':{}}],'nsInfo':[{'ns':'d.c'}]}|40414
          {'bulkWrite':1,'ops':[{'delete':0}],'nsInfo':[{'ns':'d.c'}]}|40414
          """)
  void malformedCommandsFail(String command, String code) {
    assertThat(shell.adminError(command)).startsWith(code + " ");
  }

  @Test
  void bulkWriteRequiresTheAdminDatabase() {
    assertThat(shell.error("{'bulkWrite':1,'ops':[{'insert':0,'document':{}}]" + NAMES + "}"))
        .isEqualTo("13 bulkWrite may only be run against the admin database.");
  }
}
