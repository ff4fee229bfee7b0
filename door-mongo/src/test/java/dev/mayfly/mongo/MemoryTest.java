package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.query.QueryMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory limits of requests, and the size of documents between stages. */
final class MemoryTest {
  private final Shell shell = new Shell();

  @BeforeEach
  void fill() {
    for (int i = 0; i < 40; i++) {
      shell.insert("{'_id':" + i + ",'p':'" + "x".repeat(500_000) + "'}");
    }
  }

  @AfterEach
  void close() {
    shell.close();
  }

  @Test
  void intermediateDocumentsMayExceedTheSizeLimit() {
    String pushed = "{'$group':{'_id':1,'a':{'$push':'$p'}}}";
    assertThat(shell.aggregate(pushed, "{'$project':{'n':{'$size':'$a'}}}"))
        .containsExactly("{'_id':1,'n':40}");
    assertThat(shell.aggregate(pushed, "{'$unwind':'$a'}", "{'$count':'n'}"))
        .containsExactly("{'n':40}");
    assertThat(
            shell.aggregate(
                "{'$limit':1}",
                "{'$lookup':{'from':'c','pipeline':[],'as':'a'}}",
                "{'$project':{'n':{'$size':'$a'}}}"))
        .containsExactly("{'_id':0,'n':40}");
    assertThat(
            shell.aggregate(
                "{'$facet':{'a':[{'$match':{}}]}}", "{'$project':{'n':{'$size':'$a'}}}"))
        .containsExactly("{'n':40}");
  }

  @Test
  void returnedAndStoredDocumentsAreLimited() {
    String pushed = "{'$group':{'_id':1,'a':{'$push':'$p'}}}";
    assertThat(shell.error(piped(pushed))).startsWith("10334 ");
    assertThat(shell.error(piped(pushed + ",{'$out':'d'}"))).startsWith("10334 ");
    assertThat(shell.error(piped(pushed + ",{'$merge':{'into':'d'}}"))).startsWith("10334 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'$map':{'input':{'$range':[0,1000]},'in':{'$range':[0,100000]}}}",
        "{'$concatArrays':[{'$range':[0,2000000]},{'$range':[0,2000000]},{'$range':[0,2000000]},"
            + "{'$range':['$_id',2000000]}]}",
        "{'$reduce':{'input':{'$range':[0,40]},'initialValue':['$p'],"
            + "'in':{'$concatArrays':['$$value','$$value']}}}",
        "{'$map':{'input':[0,1],'in':[{'$range':[0,2000000]},{'$map':{'input':[0,1],"
            + "'in':[{'$range':[0,2000000]},{'$map':{'input':[0,1],'in':[{'$range':[0,2000000]},"
            + "{'$range':['$_id',2000000]}]}}]}}]}}"
      })
  void expressionsFailIfTheyExceedTheMemoryLimit(String expression) {
    String stages = "{'$limit':1},{'$set':{'z':" + expression + "}},{'$count':'n'}";
    assertThat(shell.error(piped(stages))).startsWith("146 ");
    assertThat(QueryMemory.PROCESS.taken()).isZero();
  }

  @Test
  void unboundedWindowFailsIfItExceedsTheMemoryLimit() {
    String window =
        "{'$setWindowFields':{'sortBy':{'_id':1},'output':{'a':{'$push':'$p',"
            + "'window':{'documents':['unbounded','current']}}}}},{'$count':'n'}";
    assertThat(shell.error(piped(window))).startsWith("292 ");
    assertThat(QueryMemory.PROCESS.taken()).isZero();
  }

  private static String piped(String stages) {
    return "{'aggregate':'c','pipeline':[" + stages + "],'cursor':{}}";
  }
}
