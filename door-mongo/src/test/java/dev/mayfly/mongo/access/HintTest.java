package dev.mayfly.mongo.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code hint}: an index without some documents hides them; an unusable index is an error. */
final class HintTest {
  private static final String UNKNOWN =
      "2 error processing query: planner returned error :: caused by :: hint provided does not"
          + " correspond to an existing index";

  private final Shell shell = new Shell();

  @BeforeEach
  void indexes() {
    shell.insert(
        "{'_id':1,'a':1,'b':5,'g':[1,2]}", "{'_id':2,'a':1,'b':6}", "{'_id':3,'a':2,'b':5}");
    shell.run(
        "{'createIndexes':'c','indexes':["
            + "{'key':{'a':1},'name':'p','partialFilterExpression':{'b':5}},"
            + "{'key':{'b':1},'name':'h','hidden':true},"
            + "{'key':{'w.$**':1},'name':'w'},"
            + "{'key':{'g':'2dsphere'},'name':'g'},"
            + "{'key':{'g':'2d'},'name':'flat'}]}");
  }

  @AfterEach
  void close() {
    shell.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'filter':{},'hint':'p'|1 3
          'filter':{'a':1},'hint':'p'|1
          'filter':{'a':1},'hint':{'a':1}|1
          'filter':{'a':1,'b':6},'hint':'p'|""
          'filter':{'b':6},'hint':'p'|""
          'filter':{'a':{'$gte':1}},'hint':'p','sort':{'a':-1}|3 1
          'filter':{},'hint':'p','min':{'a':2}|3
          'filter':{},'hint':'g'|1
          'filter':{'a':1},'hint':'flat'|1 2
          """)
  void findReturnsOnlyDocumentsInTheHintedIndex(String find, String ids) {
    assertThat(shell.all("{'find':'c','projection':{'_id':1}," + find + "}"))
        .containsExactly(
            ids.isEmpty() ? new String[0] : ids.replaceAll("(\\d)", "{'_id':$1}").split(" ", -1));
  }

  @Test
  void writesAndCountsUseOnlyTheHintedIndex() {
    assertThat(
            shell.all(
                "{'aggregate':'c','pipeline':[{'$match':{}},{'$group':{'_id':1,'n':{'$sum':1}}}],"
                    + "'hint':'p','cursor':{}}"))
        .containsExactly("{'_id':1,'n':2}");
    assertThat(shell.replyText("{'count':'c','hint':'p'}")).isEqualTo("{'n':2}");
    assertThat(
            shell.replyText(
                "{'update':'c','updates':[{'q':{'a':1},'u':{'$set':{'z':1}},'multi':true,"
                    + "'hint':'p'}]}"))
        .isEqualTo("{'n':1,'nModified':1}");
    assertThat(shell.replyText("{'delete':'c','deletes':[{'q':{'a':1},'limit':0,'hint':'p'}]}"))
        .isEqualTo("{'n':1}");
    assertThat(shell.found("{'a':1}")).containsExactly("{'_id':2,'a':1,'b':6}");
  }

  @Test
  void hiddenIndexCannotBeHinted() {
    assertThat(shell.error("{'find':'c','hint':'h'}")).isEqualTo(UNKNOWN);
    assertThat(shell.error("{'find':'c','hint':{'b':1}}")).isEqualTo(UNKNOWN);
    assertThat(shell.error("{'find':'c','hint':'nowhere'}")).isEqualTo(UNKNOWN);
  }

  @Test
  void wildcardIndexHintNeedsAConditionOnItsPath() {
    assertThat(shell.error("{'find':'c','filter':{'a':1},'hint':'w'}"))
        .startsWith("291 error processing query: planner returned error :: caused by :: $hint:")
        .contains("'w'");
    assertThat(shell.all("{'find':'c','filter':{'w.x':1},'hint':'w'}")).isEmpty();
  }
}
