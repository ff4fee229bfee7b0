package dev.mayfly.mongo.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code count} and {@code distinct}. */
final class CountAndDistinctTest {
  private final Shell shell = new Shell();

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
          {'count':'c'}|4
          {'count':'c','query':{}}|4
          {'count':'c','query':{'a':{'$gt':1}}}|2
          {'count':'c','query':{'a':null}}|1
          {'count':'c','limit':3}|3
          {'count':'c','limit':-3}|3
          {'count':'c','skip':1}|3
          {'count':'c','skip':3,'limit':5}|1
          {'count':'c','skip':9}|0
          {'count':'c','query':{'s':'X'},'collation':{'locale':'en','strength':2}}|2
          {'count':'c','query':{'a':1},'hint':'_id_'}|1
          {'count':'none'}|0
          {'count':'v'}|2
          {'count':'v','query':{'a':2},'skip':0}|1
          {'count':'v','limit':1}|1
          """)
  void matchingDocumentsAreCounted(String command, int number) {
    shell.insert(
        "{'_id':1,'a':1,'s':'x'}", "{'_id':2,'a':2,'s':'X'}", "{'_id':3,'a':3}", "{'_id':4}");
    shell.run("{'create':'v','viewOn':'c','pipeline':[{'$match':{'a':{'$gt':1}}}]}");
    assertThat(shell.replyText(command)).isEqualTo("{'n':" + number + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'distinct':'c','key':'a'}|[1,2,'x']
          {'distinct':'c','key':'a','query':{'_id':{'$lt':3}}}|[1,2]
          {'distinct':'c','key':'n.b'}|[5,6,7]
          {'distinct':'c','key':'t'}|['a','A']
          {'distinct':'c','key':'t','collation':{'locale':'en','strength':2}}|['a']
          {'distinct':'c','key':'none'}|[]
          {'distinct':'c','key':'o'}|[{'p':1},null]
          {'distinct':'c','key':'a.0'}|[2]
          {'distinct':'none','key':'a'}|[]
          {'distinct':'v','key':'a'}|[1,2]
          """)
  void distinctReturnsEachValueOnce(String command, String values) {
    shell.insert(
        "{'_id':1,'a':1,'n':{'b':5},'t':'a','o':{'p':1}}",
        "{'_id':2,'a':[2,1.0,2],'n':[{'b':6},{'b':[7,5]},3],'t':'A','o':null}",
        "{'_id':3,'a':'x','o':{'p':1.0}}",
        "{'_id':4,'a':[]}");
    shell.run("{'create':'v','viewOn':'c','pipeline':[{'$match':{'_id':{'$lt':3}}}]}");
    assertThat(shell.replyText(command)).isEqualTo("{'values':" + values + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          a.0|[{'0':1,'b':2},7,8,{'b':3}]
          a.00|[]
          a.0.b|[2,3]
          a.b|[2]
          a.1.0|[5]
          o.0|[1]
          """)
  void numericStepIsAnArrayIndexOrAFieldName(String key, String values) {
    shell.insert(
        "{'_id':1,'a':[{'0':1,'b':2},{'0':5}],'o':{'0':1}}", "{'_id':2,'a':[[7,8,{'b':3}]]}");
    assertThat(shell.replyText("{'distinct':'c','key':'" + key + "'}"))
        .isEqualTo("{'values':" + values + "}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'distinct':'c','key':'a'}|[1,2,'x']
          {'distinct':'c','key':'n.b'}|[6,7,5]
          {'distinct':'c','key':'t'}|['A','a']
          {'distinct':'c','key':'t','collation':{'locale':'en','strength':2}}|['A']
          {'distinct':'c','key':'o'}|[null,{'p':1}]
          {'distinct':'c','key':'a','query':{'a':1}}|[1,2]
          {'distinct':'c','key':'t','query':{'t':{'$gt':'B'}}}|['a']
          """)
  void distinctByIndexReturnsTheSameValues(String command, String values) {
    shell.insert(
        "{'_id':1,'a':1,'n':{'b':5},'t':'a','o':{'p':1}}",
        "{'_id':2,'a':[2,1.0,2],'n':[{'b':6},{'b':[7,5]},3],'t':'A','o':null}",
        "{'_id':3,'a':'x','o':{'p':1.0}}",
        "{'_id':4,'a':[]}");
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'a':1},'name':'a'},{'key':{'n.b':1},'name':'n'},"
            + "{'key':{'t':1,'a':1},'name':'t'},{'key':{'o':1},'name':'o','sparse':true}]}");
    assertThat(shell.replyText(command)).isEqualTo("{'values':" + values + "}");
  }

  @Test
  void distinctByIndexOmitsExpiredDocuments() {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'k':1},'name':'k'},"
            + "{'key':{'t':1},'name':'t','expireAfterSeconds':60}]}");
    for (int i = 0; i < 10; i++) {
      long date = Shell.START + (i < 8 ? 0 : 60_000);
      shell.insert(
          "{'_id':%d,'k':%d,'t':{'$date':{'$numberLong':'%d'}}}".formatted(i, i % 4, date));
    }
    assertThat(shell.replyText("{'distinct':'c','key':'k'}")).isEqualTo("{'values':[0,1,2,3]}");
    shell.advance(Duration.ofSeconds(60));
    assertThat(shell.replyText("{'distinct':'c','key':'k'}")).isEqualTo("{'values':[0,1]}");
    shell.advance(Duration.ofSeconds(60));
    assertThat(shell.replyText("{'distinct':'c','key':'k'}")).isEqualTo("{'values':[]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'count':'c','skip':-1}|51024
          {'count':'c','query':1}|14
          {'count':'c','colour':1}|40415
          {'count':'c','hint':'none'}|2
          {'distinct':'c'}|40414
          {'distinct':'c','key':1}|14
          {'distinct':'c','key':'a','query':'x'}|14
          {'distinct':'c','key':'a','colour':1}|40415
          """)
  void malformedCommandsFail(String command, String number) {
    shell.insert("{'_id':1}");
    assertThat(shell.error(command)).startsWith(number + " ");
  }

  @Test
  void distinctFailsBeyond16Megabytes() {
    String large = "x".repeat(6 << 20);
    for (int i = 0; i < 3; i++) {
      shell.insert("{'_id':" + i + ",'s':'" + i + large + "'}");
    }
    assertThat(shell.error("{'distinct':'c','key':'s'}"))
        .isEqualTo("17217 distinct too big, 16mb cap");
  }

  @Test
  void countRejectsTheMinimumLongAsLimit() {
    String count = "{'count':'c','limit':{'$numberLong':'-9223372036854775808'}}";
    assertThat(shell.error(count)).startsWith("2 ");
    shell.insert("{'_id':1}");
    assertThat(shell.error(count)).startsWith("2 ");
    shell.run("{'create':'v','viewOn':'c'}");
    assertThat(shell.error(count.replace("'c'", "'v'"))).startsWith("2 ");
    assertThat(shell.error("{'explain':" + count + "}")).startsWith("2 ");
  }
}
