package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes to parts of items. */
final class PatchTest {
  private static final String DOCS = Shop.DOCS;
  private static final String ITEM = DOCS + "/1";
  private static final String X = Shop.pk("x");

  private final Shop shop = Shop.inMemory();

  @BeforeEach
  void begin() {
    shop.container("{'id':'items','partitionKey':{'paths':['/p/k'],'kind':'Hash'}}");
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @ParameterizedTest(name = "{1} on {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'a':1}|{'op':'add','path':'/b','value':2}|{'a':1,'b':2}",
        "{'a':1}|{'op':'add','path':'/a','value':2}|{'a':2}",
        "{'a':1}|{'op':'add','path':'/a','value':null}|{'a':null}",
        "{'a':{'b':1}}|{'op':'add','path':'/a/c','value':[1]}|{'a':{'b':1,'c':[1]}}",
        "{'a':[1,2]}|{'op':'add','path':'/a/0','value':0}|{'a':[0,1,2]}",
        "{'a':[1,2]}|{'op':'add','path':'/a/2','value':3}|{'a':[1,2,3]}",
        "{'a':[1,2]}|{'op':'add','path':'/a/-','value':3}|{'a':[1,2,3]}",
        "{'a':[1,2]}|{'op':'set','path':'/a/0','value':0}|{'a':[0,2]}",
        "{'a':[1,2]}|{'op':'set','path':'/a/-','value':3}|{'a':[1,2,3]}",
        "{'a':1}|{'op':'set','path':'/b','value':2}|{'a':1,'b':2}",
        "{'a':[{'b':1}]}|{'op':'set','path':'/a/0/b','value':2}|{'a':[{'b':2}]}",
        "{'a':[1,2]}|{'op':'replace','path':'/a/1','value':0}|{'a':[1,0]}",
        "{'a':1,'b':2}|{'op':'replace','path':'/a','value':'x'}|{'a':'x','b':2}",
        "{'a':1,'b':2}|{'op':'remove','path':'/a','value':null}|{'b':2}",
        "{'a':[1,2,3]}|{'op':'remove','path':'/a/1'}|{'a':[1,3]}",
        "{'a':1}|{'op':'incr','path':'/a','value':2}|{'a':3}",
        "{'a':1}|{'op':'incr','path':'/a','value':-0.5}|{'a':0.5}",
        "{'a':9223372036854775807}|{'op':'incr','path':'/a','value':1}|{'a':9.223372036854776E18}",
        "{'a':1}|{'op':'incr','path':'/b','value':2}|{'a':1,'b':2}",
        "{'a':[1]}|{'op':'incr','path':'/a/0','value':2}|{'a':[3]}",
        "{'a':1}|{'op':'move','from':'/a','path':'/b'}|{'b':1}",
        "{'a':[1,2,3]}|{'op':'move','from':'/a/2','path':'/a/0'}|{'a':[3,1,2]}",
        "{'a':{'b':1},'c':{}}|{'op':'move','from':'/a/b','path':'/c/d'}|{'a':{},'c':{'d':1}}",
        "{'a/b':1,'c~d':2}|{'op':'set','path':'/a~1b','value':2}|{'a/b':2,'c~d':2}",
        "{'a/b':1,'c~d':2}|{'op':'remove','path':'/c~0d'}|{'a/b':1}",
        "{'0':1}|{'op':'set','path':'/0','value':2}|{'0':2}",
      })
  void patchOperationsChangeTheirPath(String before, String operation, String after) {
    put(before);
    Answer patched = shop.send("PATCH", ITEM, "{'operations':[" + operation + "]}", X);
    assertThat(patched.status()).as(patched.text()).isEqualTo(200);
    String expected = after.replace('\'', '"');
    assertThat(own(patched.body())).isEqualTo(expected);
    assertThat(own(shop.send("GET", ITEM, "", X).body())).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{1} on {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'a':1}|{'op':'replace','path':'/b','value':2}|"
            + "For Operation(1): Node(/b) to be replaced is absent.",
        "{'a':1}|{'op':'remove','path':'/b'}|For Operation(1): Node(/b) to be removed is absent.",
        "{'a':[1]}|{'op':'remove','path':'/a/1'}|"
            + "For Operation(1): Node(/a/1) to be removed is absent.",
        "{'a':[1]}|{'op':'add','path':'/a/2','value':0}|"
            + "For Operation(1): Index(2) to operate on is out of array bounds",
        "{'a':[1]}|{'op':'set','path':'/a/x','value':0}|"
            + "For Operation(1): Index(x) to operate on is out of array bounds",
        "{'a':1}|{'op':'add','path':'/b/c','value':0}|"
            + "For Operation(1): Add Operation can only create a child object",
        "{'a':1}|{'op':'set','path':'/a/c','value':0}|no path found beyond: 'a'.",
        "{'a':'x'}|{'op':'incr','path':'/a','value':1}|For Operation(1): Node(/a) is not a number.",
        "{'a':1.0E308}|{'op':'incr','path':'/a','value':1e308}|would not be a finite number.",
        "{'a':1}|{'op':'move','from':'/b','path':'/c'}|"
            + "For Operation(1): Node(/b) to be moved is absent.",
        "{'a':{}}|{'op':'move','from':'/a','path':'/a/b'}|Invalid patch request",
        "{'a':1}|{'op':'incr','path':'/a','value':'x'}|Invalid patch request",
        "{'a':1}|{'op':'add','path':'/a'}|Invalid patch request",
        "{'a':1}|{'op':'add','path':'a','value':1}|Invalid patch request",
        "{'a':1}|{'op':'test','path':'/a','value':1}|Invalid patch request",
        "{'a':1}|{'op':'set','path':'/id','value':'2'}|Cannot patch system property id.",
        "{'a':1}|{'op':'set','path':'/_ts','value':2}|Cannot patch system property _ts.",
        "{'a':1}|{'op':'set','path':'/p/k','value':'x'}|Cannot patch the partition key",
        "{'a':1}|{'op':'remove','path':'/p'}|Cannot patch the partition key",
        "{'a':1}|{'op':'move','from':'/p/k','path':'/b'}|Cannot patch the partition key",
      })
  void anImpossiblePatchOperationReportsTheReason(String before, String operation, String text) {
    put(before);
    Answer patched =
        shop.send("PATCH", ITEM, "[" + operation + ",{'op':'set','path':'/z','value':1}]", X);
    assertThat(patched.status()).isEqualTo(400);
    assertThat(patched.at("message").asString()).contains(text);
    assertThat(own(shop.send("GET", ITEM, "", X).body())).isEqualTo(before.replace('\'', '"'));
  }

  @Test
  void patchOperationsApplyInOrderAndAtomically() {
    put("{'a':1}");
    String set = "{'op':'set','path':'/a','value':5}";
    Answer both = shop.send("PATCH", ITEM, "[" + set + ",{'op':'incr','path':'/a','value':1}]", X);
    assertThat(own(both.body())).isEqualTo("{\"a\":6}");
    Answer failed = shop.send("PATCH", ITEM, "[" + set + ",{'op':'remove','path':'/b'}]", X);
    assertThat(failed.text()).contains("For Operation(2)");
    assertThat(own(shop.send("GET", ITEM, "", X).body())).isEqualTo("{\"a\":6}");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "from c where c.a = 1|200",
        "FROM c WHERE c.a = 2|412",
        "from c where c.a > 0 and is_defined(c.b)|412",
        "from c where c.p.k = \\'x\\' and array_length(c.list) = 2|200",
        "from c join e in c.list where e = 5|200",
        "from c where c._ts > 0|200",
        "from c where c._ts < 0|412",
        "from c where nonsense(c.a)|400",
        "from c where (select value e from e in c.list) = 5|400",
        "where where|400",
      })
  void aPatchConditionIsChecked(String condition, int status) {
    put("{'a':1,'list':[4,5]}");
    String body =
        "{\"condition\":\""
            + condition.replace("\\'", "'")
            + "\",\"operations\":[{\"op\":\"set\",\"path\":\"/a\",\"value\":2}]}";
    assertThat(shop.raw("PATCH", ITEM, body, X).status()).isEqualTo(status);
    assertThat(shop.get(ITEM, X).at("a").asLong()).isEqualTo(status == 200 ? 2 : 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5", "true", "{'where':'c.a = 2'}", "['from c where c.a = 2']"})
  void aPatchConditionMustBeAString(String condition) {
    put("{'a':1}");
    String patch =
        "{'condition':" + condition + ",'operations':[{'op':'set','path':'/a','value':2}]}";
    assertThat(shop.send("PATCH", ITEM, patch, X).status()).isEqualTo(400);
    assertThat(shop.get(ITEM, X).at("a").asLong()).isEqualTo(1);
  }

  @Test
  void aPatchHasOneToTenOperations() {
    put("{'a':1}");
    String one = "{'op':'incr','path':'/a','value':1}";
    String ten = "[" + (one + ",").repeat(9) + one + "]";
    assertThat(own(shop.send("PATCH", ITEM, ten, X).body())).isEqualTo("{\"a\":11}");
    Answer eleven = shop.send("PATCH", ITEM, "[" + (one + ",").repeat(10) + one + "]", X);
    assertThat(eleven.status()).isEqualTo(400);
    assertThat(eleven.text()).contains("The number of patch operations cannot exceed 10");
    assertThat(shop.send("PATCH", ITEM, "[]", X).status()).isEqualTo(400);
    assertThat(shop.send("PATCH", ITEM, "{}", X).status()).isEqualTo(400);
  }

  @Test
  void concurrentPatchesAreNotLost() throws Exception {
    put("{'n':0}");
    try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> patches = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String patch = "[{'op':'incr','path':'/n','value':1}]";
        patches.add(clients.submit(() -> shop.send("PATCH", ITEM, patch, X).status()));
      }
      for (Future<Integer> patch : patches) {
        assertThat(patch.get(1, TimeUnit.MINUTES)).isEqualTo(200);
      }
    }
    assertThat(shop.get(ITEM, X).at("n").asLong()).isEqualTo(200);
  }

  @Test
  void aPatchedItemIsSubjectToTheItemLimits() {
    put("{'a':'" + "a".repeat(1 << 20) + "'}");
    String more = "[{'op':'set','path':'/b','value':'" + "b".repeat(1 << 20) + "'}]";
    assertThat(shop.send("PATCH", ITEM, more, X).status()).isEqualTo(413);
  }

  /** Its own properties in JSON, without the key and those of the system. */
  private static String own(Document item) {
    DocumentWriter writer = Document.writer();
    for (var fields = item.fields(); fields.next(); ) {
      boolean given = fields.name().equals("id") || fields.name().equals("p");
      if (!given && !ItemForm.system(fields.name())) {
        writer.put(fields);
      }
    }
    return Json.write(writer.build());
  }

  private void put(String properties) {
    String item = "{'id':'1','p':{'k':'x'}," + properties.substring(1);
    assertThat(shop.send("POST", DOCS, item, X).status()).isEqualTo(201);
  }
}
