package dev.mayfly.mongo.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transactions: reads from one snapshot, atomic commit, first writer wins. */
final class TransactionTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  private static String in(int session, int number, String command) {
    return command.substring(0, command.length() - 1)
        + ","
        + Shell.lsid(session)
        + ",'txnNumber':{'$numberLong':'"
        + number
        + "'},'autocommit':false}";
  }

  private static String start(int session, int number, String command) {
    String inside = in(session, number, command);
    return inside.substring(0, inside.length() - 1) + ",'startTransaction':true}";
  }

  private Document end(int session, int number, String how) {
    return shell.admin(in(session, number, "{'" + how + "Transaction':1}"));
  }

  private void insertOne() {
    shell.insert("{'_id':1,'n':0}");
  }

  @Test
  void writesAreVisibleToOthersAfterTheCommit() {
    insertOne();
    shell.run("{'create':'o'}");
    shell.run(start(1, 1, "{'insert':'c','documents':[{'_id':2}]}"));
    shell.run(in(1, 1, "{'update':'c','updates':[{'q':{'_id':1},'u':{'$inc':{'n':1}}}]}"));
    shell.run(in(1, 1, "{'insert':'o','documents':[{'_id':1}]}"));
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':0}");
    assertThat(shell.all(in(1, 1, "{'find':'c','sort':{'_id':1}}")))
        .containsExactly("{'_id':1,'n':1}", "{'_id':2}");
    assertThat(shell.all(in(1, 1, "{'aggregate':'c','pipeline':[{'$count':'n'}],'cursor':{}}")))
        .containsExactly("{'n':2}");
    end(1, 1, "commit");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':1}", "{'_id':2}");
    assertThat(shell.all("{'find':'o'}")).hasSize(1);
  }

  @Test
  void abortDiscardsAllWrites() {
    insertOne();
    shell.run(start(1, 1, "{'delete':'c','deletes':[{'q':{},'limit':0}]}"));
    assertThat(shell.all(in(1, 1, "{'find':'c'}"))).isEmpty();
    end(1, 1, "abort");
    assertThat(shell.found("{}")).hasSize(1);
    assertThat(shell.adminError(in(1, 1, "{'commitTransaction':1}"))).startsWith("251 ");
    assertThat(shell.adminError(in(1, 1, "{'abortTransaction':1}"))).startsWith("251 ");
  }

  @Test
  void readsAreFromOneSnapshot() {
    insertOne();
    assertThat(shell.all(start(1, 1, "{'find':'c'}"))).hasSize(1);
    shell.insert("{'_id':2}");
    shell.run("{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'n':9}}}]}");
    assertThat(shell.all(in(1, 1, "{'find':'c'}"))).containsExactly("{'_id':1,'n':0}");
    end(1, 1, "commit");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':9}", "{'_id':2}");
  }

  @Test
  void secondWriterOfADocumentGetsAWriteConflict() {
    insertOne();
    shell.run(start(1, 1, "{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'n':1}}}]}"));
    Document refused =
        shell.reply(start(2, 1, "{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'n':2}}}]}"));
    assertThat(refused.field("code").asInt()).isEqualTo(112);
    assertThat(refused.field("codeName").asString()).isEqualTo("WriteConflict");
    assertThat(Shell.text(refused.field("errorLabels"))).isEqualTo("['TransientTransactionError']");
    assertThat(shell.error(in(2, 1, "{'find':'c'}"))).startsWith("251 ");
    end(1, 1, "commit");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':1}");
  }

  @Test
  void laterWriteOutsideIsAWriteConflict() {
    insertOne();
    shell.all(start(1, 1, "{'find':'c'}"));
    shell.run("{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'n':1}}}]}");
    Document refused =
        shell.reply(in(1, 1, "{'update':'c','updates':[{'q':{'_id':1},'u':{'$inc':{'n':1}}}]}"));
    assertThat(refused.field("code").asInt()).isEqualTo(112);
    assertThat(Shell.text(refused.field("errorLabels"))).contains("TransientTransactionError");
  }

  @Test
  void droppedCollectionIsAWriteConflict() {
    insertOne();
    shell.run(start(1, 1, "{'find':'o'}"));
    shell.run("{'drop':'c'}");
    assertThat(shell.error(in(1, 1, "{'find':'c'}"))).startsWith("112 ");
  }

  @Test
  void commitCanBeRetried() {
    shell.run(start(1, 1, "{'insert':'c','documents':[{'_id':1}]}"));
    end(1, 1, "commit");
    end(1, 1, "commit");
    shell.restart();
    end(1, 1, "commit");
    assertThat(shell.found("{}")).hasSize(1);
  }

  @Test
  void unknownTransactionNumberFails() {
    Document refused = shell.reply(in(1, 1, "{'find':'c'}"));
    assertThat(refused.field("code").asInt()).isEqualTo(251);
    assertThat(Shell.text(refused.field("errorLabels"))).isEqualTo("['TransientTransactionError']");
    assertThat(shell.error(in(1, 1, "{'insert':'c','documents':[{}]}"))).startsWith("251 ");
    assertThat(shell.adminError(in(1, 1, "{'commitTransaction':1}"))).startsWith("251 ");
  }

  @Test
  void unsupportedCommandsFailInTransactions() {
    insertOne();
    assertThat(shell.error(start(1, 1, "{'drop':'c'}")))
        .isEqualTo("263 Cannot run 'drop' in a multi-document transaction.");
    assertThat(shell.error(start(1, 2, "{'count':'c'}"))).startsWith("263 ");
    assertThat(shell.error(start(1, 3, "{'aggregate':'c','pipeline':[{'$out':'o'}],'cursor':{}}")))
        .startsWith("263 ");
  }

  @Test
  void duplicateKeyAbortsTheTransaction() {
    insertOne();
    shell.run(start(1, 1, "{'insert':'c','documents':[{'_id':5}]}"));
    Document refused = shell.reply(in(1, 1, "{'insert':'c','documents':[{'_id':1}]}"));
    assertThat(refused.toString()).contains("11000");
    assertThat(shell.error(in(1, 1, "{'find':'c'}"))).startsWith("251 ");
    assertThat(shell.found("{}")).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'update':'c','updates':[{'q':{'_id':1},'u':{'$inc':{'s':1}}}]}",
        "{'update':'c','updates':[{'q':{'_id':1},'u':{'$frobnicate':{'s':1}}}]}",
        "{'update':'c','ordered':false,'updates':[{'q':{'_id':1},'u':{'$inc':{'s':1}}},"
            + "{'q':{'_id':1},'u':{'$set':{'n':7}}}]}",
        "{'update':'c','updates':[{'q':{},'u':{'$set':{'n':'text'}},'multi':true}]}",
        "{'insert':'c','documents':[{'_id':9,'n':'text'}]}",
        "{'insert':'c','ordered':false,'documents':[{'_id':1,'n':1},{'_id':1,'n':2}]}",
        "{'delete':'c','deletes':[{'q':{'$frobnicate':1},'limit':1}]}",
      })
  void anyWriteErrorAbortsTheTransaction(String failing) {
    shell.run("{'create':'c','validator':{'n':{'$type':'number'}}}");
    shell.insert("{'_id':1,'n':0,'s':'text'}");
    shell.run(start(1, 1, "{'insert':'c','documents':[{'_id':5,'n':0}]}"));
    Document reply = shell.run(in(1, 1, failing));
    assertThat(Shell.at(reply, "writeErrors.0.code").isNumber()).isTrue();
    assertThat(Shell.at(reply, "writeErrors.1").isMissing()).isTrue();
    assertThat(shell.error(in(1, 1, "{'find':'c'}"))).startsWith("251 ");
    Document commit = shell.reply(Shell.json(in(1, 1, "{'commitTransaction':1,'$db':'admin'}")));
    assertThat(commit.field("code").asInt()).isEqualTo(251);
    assertThat(Shell.text(commit.field("errorLabels"))).isEqualTo("['TransientTransactionError']");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':0,'s':'text'}");
  }

  @Test
  void bulkWriteErrorAbortsTheTransaction() {
    insertOne();
    shell.run(start(1, 1, "{'insert':'c','documents':[{'_id':5}]}"));
    Document reply =
        shell.admin(
            in(
                1,
                1,
                "{'bulkWrite':1,'ordered':false,'ops':[{'update':0,'filter':{'_id':1},"
                    + "'updateMods':{'$push':{'n':1}}},{'insert':0,'document':{'_id':2}}],"
                    + "'nsInfo':[{'ns':'d.c'}]}"));
    assertThat(reply.field("nErrors").asInt()).isEqualTo(1);
    assertThat(reply.field("nInserted").asInt()).isZero();
    assertThat(shell.adminError(in(1, 1, "{'commitTransaction':1}"))).startsWith("251 ");
    assertThat(shell.found("{}")).hasSize(1);
  }

  @Test
  void writeWithoutAMatchDoesNotAbort() {
    insertOne();
    shell.run(start(1, 1, "{'insert':'c','documents':[{'_id':5}]}"));
    shell.run(in(1, 1, "{'update':'c','updates':[{'q':{'_id':7},'u':{'$inc':{'n':1}}}]}"));
    shell.run(in(1, 1, "{'delete':'c','deletes':[{'q':{'_id':7},'limit':1}]}"));
    end(1, 1, "commit");
    assertThat(shell.found("{}")).hasSize(2);
  }

  @Test
  void newTransactionNumberAbortsThePreviousOne() {
    insertOne();
    shell.run(start(1, 1, "{'insert':'c','documents':[{'_id':2}]}"));
    shell.run(start(1, 2, "{'insert':'c','documents':[{'_id':3}]}"));
    assertThat(shell.error(in(1, 1, "{'find':'c'}"))).matches("(251|225) .*");
    end(1, 2, "commit");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':0}", "{'_id':3}");
  }

  @Test
  void commitClosesTheCursorsOfTheTransaction() {
    insertOne();
    shell.insert("{'_id':2}");
    Document cursor = shell.cursor(start(1, 1, "{'find':'c','batchSize':1}"));
    assertThat(shell.error(Shell.getMore(cursor, "," + Shell.LSID))).startsWith("50740 ");
    assertThat(shell.cursors().size()).isEqualTo(1);
    Document last = shell.run(in(1, 1, Shell.getMore(cursor, "")));
    assertThat(Shell.batch(last.field("cursor").asDocument())).hasSize(1);
    Document other = shell.cursor(in(1, 1, "{'find':'c','batchSize':1}"));
    end(1, 1, "commit");
    assertThat(shell.cursors().size()).isZero();
    assertThat(shell.error(Shell.getMore(other, "," + Shell.LSID))).startsWith("43 ");
  }

  @Test
  void endSessionsAbortsTheTransaction() {
    insertOne();
    shell.run(start(1, 1, "{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'n':1}}}]}"));
    shell.run("{'endSessions':[" + Shell.LSID.replaceFirst("'lsid':", "") + "]}");
    shell.run("{'update':'c','updates':[{'q':{'_id':1},'u':{'$set':{'n':2}}}]}");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':2}");
  }

  @Test
  void writesOutsideConflictWithTransactionLocks() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'k':1},'name':'k_1','unique':true}]}");
    shell.run(start(1, 1, "{'insert':'c','documents':[{'_id':1,'k':1}]}"));
    assertThat(shell.error("{'insert':'c','documents':[{'_id':2,'k':1}]}")).startsWith("112 ");
    assertThat(shell.error("{'insert':'c','documents':[{'_id':1}]}")).startsWith("112 ");
    end(1, 1, "commit");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'k':1}");
  }

  @Test
  void transactionIsAbortedAfterItsTimeLimit() {
    insertOne();
    shell.run(start(1, 1, "{'insert':'c','documents':[{'_id':2}]}"));
    Document cursor = shell.cursor(in(1, 1, "{'find':'c','batchSize':1}"));
    shell.clock.advance(Duration.ofMinutes(2));
    shell.engine().workUntilIdle();
    assertThat(shell.error(in(1, 1, Shell.getMore(cursor, "")))).startsWith("251 ");
    assertThat(shell.adminError(in(1, 1, "{'commitTransaction':1}"))).startsWith("251 ");
    assertThat(shell.found("{}")).hasSize(1);
  }

  @Test
  void findAndModifyAndBulkWriteRunInTransactions() {
    insertOne();
    Document changed =
        shell.run(
            start(
                1,
                1,
                "{'findAndModify':'c','query':{'_id':1},'update':{'$inc':{'n':5}},'new':true}"));
    assertThat(Shell.text(changed.field("value"))).isEqualTo("{'_id':1,'n':5}");
    shell.admin(
        in(
            1,
            1,
            "{'bulkWrite':1,'ops':[{'insert':0,'document':{'_id':2}},"
                + "{'update':0,'filter':{'_id':1},'updateMods':{'$inc':{'n':1}}}],"
                + "'nsInfo':[{'ns':'d.c'}]}"));
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':0}");
    end(1, 1, "commit");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'n':6}", "{'_id':2}");
  }

  @Test
  void createdCollectionsAreVisibleAfterTheCommit() {
    shell.run(start(1, 1, "{'insert':'a','documents':[{'_id':1}]}"));
    shell.run(in(1, 1, "{'insert':'b','documents':[{'_id':1}]}"));
    shell.run(in(1, 1, "{'update':'e','updates':[{'q':{'_id':1},'u':{'n':1},'upsert':true}]}"));
    shell.run(in(1, 1, "{'create':'f','capped':true,'size':4096}"));
    assertThat(shell.all(in(1, 1, "{'find':'b'}"))).containsExactly("{'_id':1}");
    assertThat(
            shell.all(
                in(
                    1,
                    1,
                    "{'aggregate':'a','pipeline':[{'$lookup':{'from':'b','localField':'_id',"
                        + "'foreignField':'_id','as':'b'}}],'cursor':{}}")))
        .containsExactly("{'_id':1,'b':[{'_id':1}]}");
    assertThat(names()).isEmpty();
    end(1, 1, "commit");
    assertThat(names()).containsExactly("d.a", "d.b", "d.e", "d.f");
    shell.restart();
    assertThat(names()).containsExactly("d.a", "d.b", "d.e", "d.f");
    assertThat(shell.all("{'find':'e'}")).containsExactly("{'_id':1,'n':1}");
  }

  private List<String> names() {
    return shell.engine().namespaces().stream().map(Namespace::toString).toList();
  }

  @Test
  void abortDiscardsCreatedCollections() {
    shell.run(start(1, 1, "{'create':'a'}"));
    shell.run(in(1, 1, "{'insert':'b','documents':[{'_id':1}]}"));
    shell.run(
        in(1, 1, "{'createIndexes':'e','indexes':[{'key':{'k':1},'name':'k_1','unique':true}]}"));
    end(1, 1, "abort");
    assertThat(names()).isEmpty();
    shell.run(start(1, 2, "{'insert':'b','documents':[{'_id':1}]}"));
    assertThat(shell.reply(in(1, 2, "{'insert':'b','documents':[{'_id':1}]}")).toString())
        .contains("E11000");
    assertThat(names()).isEmpty();
    shell.run(start(1, 3, "{'insert':'b','documents':[{'_id':1}]}"));
    shell.restart();
    assertThat(names()).isEmpty();
  }

  @Test
  void creatingTheSameCollectionTwiceIsAWriteConflict() {
    shell.run(start(1, 1, "{'insert':'c','documents':[{'_id':1}]}"));
    shell.run(start(2, 1, "{'insert':'c','documents':[{'_id':2}]}"));
    end(1, 1, "commit");
    Document refused = shell.reply(Shell.json(in(2, 1, "{'commitTransaction':1,'$db':'admin'}")));
    assertThat(refused.field("code").asInt()).isEqualTo(112);
    assertThat(Shell.text(refused.field("errorLabels"))).isEqualTo("['TransientTransactionError']");
    assertThat(shell.found("{}")).containsExactly("{'_id':1}");
  }

  @Test
  void indexesCanBeCreatedOnNewEmptyCollections() {
    insertOne();
    String index = "'indexes':[{'key':{'k':1},'name':'k_1','unique':true}]}";
    Document made = shell.run(start(1, 1, "{'createIndexes':'a'," + index));
    assertThat(made.field("createdCollectionAutomatically").asBoolean()).isTrue();
    assertThat(made.field("numIndexesAfter").asInt()).isEqualTo(2);
    shell.run(in(1, 1, "{'create':'b'}"));
    shell.run(in(1, 1, "{'createIndexes':'b'," + index));
    shell.run(in(1, 1, "{'insert':'b','documents':[{'_id':1,'k':1}]}"));
    end(1, 1, "commit");
    assertThat(shell.reply("{'insert':'b','documents':[{'_id':2,'k':1}]}").toString())
        .contains("E11000");
    shell.run(start(1, 2, "{'createIndexes':'b'," + index));
    assertThat(shell.error(in(1, 2, "{'createIndexes':'c'," + index)))
        .isEqualTo(
            "263 Cannot create new indexes on existing collection d.c in a multi-document"
                + " transaction.");
    shell.run(start(1, 3, "{'insert':'e','documents':[{'_id':1}]}"));
    assertThat(shell.error(in(1, 3, "{'createIndexes':'e'," + index)))
        .startsWith("263 Cannot create new indexes on non-empty collection d.e");
    assertThat(shell.error(start(1, 4, "{'create':'v','viewOn':'c','pipeline':[]}")))
        .startsWith("263 ");
  }
}
