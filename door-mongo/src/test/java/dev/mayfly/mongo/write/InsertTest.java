package dev.mayfly.mongo.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.Shell;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code insert}: ids, order and errors. */
final class InsertTest {
  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  @Test
  void parallelArraysCannotBeIndexed() {
    shell.run("{'createIndexes':'c','indexes':[{'key':{'a':1,'s':1,'b':1},'name':'i'}]}");
    Document reply = shell.run("{'insert':'c','documents':[{'a':[1],'s':2,'b':[3]}]}");
    assertThat(Shell.text(Shell.at(reply, "writeErrors.0")))
        .isEqualTo("{'index':0,'code':171,'errmsg':'cannot index parallel arrays [b] [a]'}");
  }

  @Test
  void documentsAreInserted() {
    assertThat(shell.replyText("{'insert':'c','documents':[{'_id':1,'a':'x'},{'_id':2}]}"))
        .isEqualTo("{'n':2}");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'a':'x'}", "{'_id':2}");
  }

  @Test
  void missingIdsAreGenerated() {
    shell.insert("{'a':1}", "{'a':2}");
    Document first = Shell.json(shell.found("{'a':1}").getFirst());
    Document second = Shell.json(shell.found("{'a':2}").getFirst());
    assertThat(first.field("_id").type()).isEqualTo(Type.OBJECT_ID);
    assertThat(first.field("_id")).isNotEqualTo(second.field("_id"));
    assertThat(first.toString()).startsWith("{\"_id\":");
  }

  @Test
  void idIsStoredAsTheFirstField() {
    shell.insert("{'a':1,'_id':5,'b':2}");
    assertThat(shell.found("{}")).containsExactly("{'_id':5,'a':1,'b':2}");
  }

  @Test
  void emptyTopLevelTimestampsAreReplaced() {
    shell.insert(
        "{'_id':1,'t':{'$timestamp':{'t':0,'i':0}},'n':{'t':{'$timestamp':{'t':0,'i':0}}}}");
    Document found = Shell.json(shell.found("{}").getFirst());
    assertThat(found.field("t").asTimestamp() >>> 32).isEqualTo(Shell.START / 1000);
    assertThat(Shell.at(found, "n.t").asTimestamp()).isZero();
  }

  @Test
  void orderedInsertStopsAtTheFirstError() {
    assertThat(shell.replyText("{'insert':'c','documents':[{'_id':1},{'_id':1},{'_id':2}]}"))
        .isEqualTo(
            "{'n':1,'writeErrors':[{'index':1,'code':11000,'errmsg':'E11000 duplicate key error"
                + " collection: d.c index: _id_ dup key: { _id: 1 }','keyPattern':{'_id':1},"
                + "'keyValue':{'_id':1}}]}");
    assertThat(shell.found("{}")).hasSize(1);
  }

  @Test
  void unorderedInsertContinuesAfterErrors() {
    Document reply =
        shell.run(
            "{'insert':'c','ordered':false,'documents':"
                + "[{'_id':1},{'_id':[]},{'_id':1},{'_id':2},{'_id':{'$x':1}}]}");
    assertThat(reply.field("n").asInt()).isEqualTo(2);
    assertThat(Shell.at(reply, "writeErrors.0.index").asInt()).isEqualTo(1);
    assertThat(Shell.at(reply, "writeErrors.0.code").asInt()).isEqualTo(53);
    assertThat(Shell.at(reply, "writeErrors.1.index").asInt()).isEqualTo(2);
    assertThat(Shell.at(reply, "writeErrors.1.code").asInt()).isEqualTo(11000);
    assertThat(Shell.at(reply, "writeErrors.2.index").asInt()).isEqualTo(4);
    assertThat(Shell.at(reply, "writeErrors.2.code").asInt()).isEqualTo(52);
    assertThat(shell.found("{}")).hasSize(2);
  }

  @Test
  void documentsBeforeTheFirstErrorAreInserted() {
    Document reply = shell.run("{'insert':'c','documents':[{'_id':1},{'_id':[]},{'_id':2}]}");
    assertThat(reply.field("n").asInt()).isEqualTo(1);
    assertThat(Shell.at(reply, "writeErrors.0.index").asInt()).isEqualTo(1);
    assertThat(shell.found("{}")).containsExactly("{'_id':1}");
  }

  @Test
  void duplicateKeyErrorContainsPatternAndValue() {
    shell.run(
        "{'createIndexes':'c','indexes':[{'key':{'a':1,'b.c':-1},'name':'u','unique':true}]}");
    shell.insert("{'_id':1,'a':'x','b':{'c':2}}");
    Document reply = shell.run("{'insert':'c','documents':[{'_id':2,'a':'x','b':{'c':2.0}}]}");
    assertThat(Shell.text(Shell.at(reply, "writeErrors.0")))
        .isEqualTo(
            "{'index':0,'code':11000,'errmsg':'E11000 duplicate key error collection: d.c index: u"
                + " dup key: { a: \\'x\\', b.c: 2.0 }','keyPattern':{'a':1,'b.c':-1},"
                + "'keyValue':{'a':'x','b.c':2.0}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'_id':[1]}|53
          {'_id':{'$regularExpression':{'pattern':'a','options':''}}}|53
          {'_id':{'$undefined':true}}|53
          {'_id':{'$a':1}}|52
          """)
  void invalidIdsAreWriteErrors(String document, int code) {
    Document reply = shell.run("{'insert':'c','documents':[" + document + "]}");
    assertThat(reply.field("n").asInt()).isZero();
    assertThat(Shell.at(reply, "writeErrors.0.code").asInt()).isEqualTo(code);
  }

  @Test
  void fieldNamesMayStartWithADollar() {
    shell.insert("{'_id':1,'$a':1,'b':{'$c':1}}");
    assertThat(shell.found("{}")).containsExactly("{'_id':1,'$a':1,'b':{'$c':1}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {'insert':'c','documents':[]}|16 Write batch sizes must be between 1 and 100000. Got 0 \
          operations.
          {'insert':'c'}|40414 BSON field 'insert.documents' is missing but a required field
          {'insert':'c','documents':1}|14 BSON field 'insert.documents' is the wrong type 'int', \
          expected type 'array'
          {'insert':'c','documents':[1]}|14 BSON field 'insert.documents.0' is the wrong type \
          'int', expected type 'object'
          {'insert':'c','documents':[{}],'colour':1}|40415 BSON field 'insert.colour' is an \
          unknown field.
          {'insert':'','documents':[{}]}|73 Invalid namespace specified 'd.'
          {'insert':'a$b','documents':[{}]}|73 Invalid namespace specified 'd.a$b'
          {'insert':'c','documents':[{}],'writeConcern':{'w':'x'}}|79 No write concern mode named \
          'x' found in replica set configuration
          {'insert':'v','documents':[{}]}|166 Namespace d.v is a view, not a collection
          """)
  void malformedCommandsFail(String command, String refusal) {
    shell.run("{'create':'v','viewOn':'c','pipeline':[]}");
    assertThat(shell.error(command)).isEqualTo(refusal);
  }

  @Test
  void updateBeyond16MegabytesFails() {
    String half = "x".repeat(8 << 20);
    shell.insert("{'_id':1,'s':'" + half + "'}");
    Document reply =
        shell.run(
            "{'update':'c','updates':[{'q':{'_id':1},"
                + "'u':[{'$set':{'t':{'$concat':['$s','$s']}}}]}]}");
    assertThat(Shell.at(reply, "writeErrors.0.code").asInt()).isEqualTo(10334);
  }

  @Test
  void insertBeyond16MegabytesIsABadValueWriteError() {
    Document large = Document.writer().put("_id", 1).put("s", "x".repeat(16 << 20)).build();
    Document command =
        Document.writer()
            .put("insert", "c")
            .startArray("documents")
            .add(Value.of(large))
            .add(Value.of(Document.writer().put("_id", 2).build()))
            .end()
            .put("ordered", false)
            .put("$db", "d")
            .build();
    Document reply = shell.reply(command);
    assertThat(reply.field("n").asInt()).isEqualTo(1);
    assertThat(Shell.at(reply, "writeErrors.0.code").asInt()).isEqualTo(2);
    assertThat(Shell.at(reply, "writeErrors.0.errmsg").asString())
        .isEqualTo(
            "object to insert too large. size in bytes: "
                + large.length()
                + ", max size: "
                + (16 << 20));
    assertThat(shell.found("{}")).containsExactly("{'_id':2}");
  }

  @Test
  void validatorRejectsDocuments() {
    shell.run("{'create':'c','validator':{'a':{'$gt':0}}}");
    Document reply = shell.run("{'insert':'c','documents':[{'_id':1,'a':1},{'_id':2,'a':0}]}");
    assertThat(reply.field("n").asInt()).isEqualTo(1);
    assertThat(Shell.at(reply, "writeErrors.0.code").asInt()).isEqualTo(121);
    assertThat(Shell.at(reply, "writeErrors.0.errmsg").asString())
        .isEqualTo("Document failed validation");
    assertThat(Shell.at(reply, "writeErrors.0.errInfo.failingDocumentId").asInt()).isEqualTo(2);
    assertThat(
            shell.replyText(
                "{'insert':'c','documents':[{'_id':3}],'bypassDocumentValidation':true}"))
        .isEqualTo("{'n':1}");
  }

  @Test
  void unsatisfiableWriteConcernIsReported() {
    Document reply = shell.run("{'insert':'c','documents':[{'_id':1}],'writeConcern':{'w':3}}");
    assertThat(Shell.at(reply, "writeConcernError.code").asInt()).isEqualTo(100);
    assertThat(shell.found("{}")).hasSize(1);
  }

  @Test
  void bypassEmptyTsReplacementKeepsEmptyTimestamps() {
    String empty = "'t':{'$timestamp':{'t':0,'i':0}}";
    shell.insert("{'_id':1," + empty + "}");
    shell.run(
        "{'insert':'c','documents':[{'_id':2," + empty + "}],'bypassEmptyTsReplacement':true}");
    shell.insert("{'_id':3}", "{'_id':4}");
    String replace = "{'update':'c','updates':[{'q':{'_id':%d},'u':{" + empty + "}}]%s}";
    shell.run(replace.formatted(3, ""));
    shell.run(replace.formatted(4, ",'bypassEmptyTsReplacement':true"));
    assertThat(shell.all("{'find':'c','filter':{" + empty + "},'projection':{'_id':1}}"))
        .containsExactly("{'_id':2}", "{'_id':4}");
  }
}
