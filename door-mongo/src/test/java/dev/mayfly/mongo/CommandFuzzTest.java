package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.testing.Mutations;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Commands with random wrong values are executed or fail with an error code. */
@ExtendWith(SeedExtension.class)
final class CommandFuzzTest {
  private static final int ROUNDS = 150;

  private static final List<String> COMMANDS =
      List.of(
          "{'find':'c','filter':{'a':{'$gt':1},'$or':[{'x':{'$in':[1,2]}},{'b':{'$regex':'r'}}],"
              + "'x':{'$elemMatch':{'$gt':1}}},'sort':{'a':1},"
              + "'projection':{'a':1,'x':{'$slice':1}},"
              + "'skip':1,'limit':5,'batchSize':2,'hint':{'_id':1},'collation':{'locale':'en'},"
              + "'let':{'v':1},'singleBatch':true,'allowDiskUse':true}",
          "{'count':'c','query':{'a':1},'skip':1,'limit':1}",
          "{'distinct':'c','key':'x','query':{'a':{'$exists':true}}}",
          "{'insert':'f','documents':[{'a':1,'b':[1,{'c':2}]},{'_id':5}],'ordered':false,"
              + "'writeConcern':{'w':1,'j':true}}",
          "{'update':'f','updates':[{'q':{'a':1},'u':{'$set':{'b.0':1},'$inc':{'n':1},"
              + "'$push':{'x':{'$each':[1],'$slice':3,'$sort':1}}},'upsert':true,'multi':false,"
              + "'arrayFilters':[{'e':1}],'collation':{'locale':'en'}}],'ordered':true}",
          "{'update':'f','updates':[{'q':{'_id':5},'u':[{'$set':{'z':{'$add':['$a',1]}}}]}]}",
          "{'delete':'f','deletes':[{'q':{'a':{'$lt':0}},'limit':1,'hint':'_id_'}]}",
          "{'findAndModify':'f','query':{'_id':5},'update':{'$set':{'k':1}},'new':true,"
              + "'fields':{'k':1},'sort':{'_id':1},'upsert':true}",
          "{'aggregate':'c','pipeline':[{'$match':{'a':{'$gte':0}}},"
              + "{'$addFields':{'s':{'$sum':'$x'},"
              + "'t':{'$cond':[{'$gt':['$a',1]},'y','n']}}},{'$unwind':'$x'},{'$group':{'_id':'$t',"
              + "'n':{'$sum':'$x'},'l':{'$push':'$x'}}},{'$sort':{'n':-1}},{'$limit':5},"
              + "{'$project':{'n':1}}],'cursor':{'batchSize':2},'let':{'v':1}}",
          "{'aggregate':'c','pipeline':[{'$lookup':{'from':'f','localField':'a',"
              + "'foreignField':'_id','as':'j'}},{'$facet':{'a':[{'$count':'n'}]}}],'cursor':{}}",
          "{'aggregate':'c','pipeline':[{'$bucket':{'groupBy':'$a','boundaries':[0,2,9],"
              + "'default':'o'}},{'$out':'g'}],'cursor':{}}",
          "{'aggregate':'c','pipeline':[{'$collStats':{'storageStats':{'scale':1}}}],'cursor':{}}",
          "{'aggregate':'c','pipeline':[{'$changeStream':{'fullDocument':'updateLookup'}},"
              + "{'$match':{'operationType':'insert'}}],'cursor':{}}",
          "{'explain':{'find':'c','filter':{'a':1},'sort':{'a':1}},'verbosity':'executionStats'}",
          "{'getMore':{'$numberLong':'7'},'collection':'c','batchSize':1}",
          "{'killCursors':'c','cursors':[{'$numberLong':'7'}]}",
          "{'createIndexes':'f','indexes':[{'key':{'q':1},'name':'q_1','unique':true,"
              + "'expireAfterSeconds':60,'partialFilterExpression':{'q':{'$gt':1}}}]}",
          "{'collMod':'f','index':{'name':'q_1','expireAfterSeconds':9,'hidden':true}}",
          "{'create':'h','capped':true,'size':4096,'max':3,'validator':{'a':1}}",
          "{'listCollections':1,'filter':{'name':'c'},'nameOnly':true}",
          "{'listIndexes':'c','cursor':{'batchSize':1}}",
          "{'collStats':'c','scale':2}",
          "{'dbStats':1,'scale':1}",
          "{'dropIndexes':'f','index':'q_1'}",
          "{'hello':1,'client':{'driver':{'name':'x'}}}",
          "{'endSessions':[{'id':{'$uuid':'00000000-0000-4000-8000-000000000001'}}]}");

  private final Shell shell = new Shell();

  @AfterEach
  void close() {
    shell.close();
  }

  @Test
  void everyCommandIsAnswered(Random random) {
    shell.insert("{'_id':1,'a':1,'x':[1,2,3],'b':'r'}", "{'_id':2,'a':2,'x':[4]}", "{'_id':3}");
    Mutations mutations = new Mutations(random);
    int done = 0;
    for (int round = 0; round < ROUNDS; round++) {
      for (String command : COMMANDS) {
        Document changed = mutations.of(Shell.json(command));
        Document reply = shell.reply(inDatabase(changed));
        assertThat(reply.field("code"))
            .as("%s: %s", changed, reply)
            .isNotEqualTo(Value.of(ErrorCode.INTERNAL_ERROR.number()));
        done += reply.field("ok").equals(Value.of(1.0)) ? 1 : 0;
      }
    }
    assertThat(done).isPositive();
  }

  private static Document inDatabase(Document command) {
    DocumentWriter body = Document.writer();
    Fields fields = command.fields();
    while (fields.next()) {
      body.put(fields);
    }
    return body.put("$db", "d").build();
  }
}
