package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that would take minutes stop at their time limit, in any stage, expression or filter.
 *
 * <p>Time is the CPU time of the thread that runs the request, so the load of the machine does not
 * matter.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InterruptTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final long LIMIT_MILLIS = 200;

  /**
   * CPU time that a request may take beyond its limit. 100 ms are usual; code that is not compiled
   * yet takes longer. Without a limit these requests take minutes.
   */
  private static final long LATE_NANOS = 2_000_000_000;

  /** The time limit, or on a fast machine the memory limit if the request reaches that first. */
  private static final List<Value> LIMITS = List.of(Value.of(50), Value.of(146), Value.of(292));

  private static final int DOCUMENTS = 3000;

  private final Shell shell = new Shell(THREADS::getCurrentThreadCpuTime);

  /** A command that would run for minutes. */
  record Bomb(String name, Document command) {
    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeAll
  void fill() {
    for (int i = 0; i < DOCUMENTS; i++) {
      shell.insert("{'_id':" + i + ",'k':" + i % 10 + ",'n':" + (i + 1) % DOCUMENTS + "}");
    }
    shell.run("{'insert':'wide','documents':[{'a':[" + listed(5000, _ -> "{}") + "]}]}");
  }

  @AfterAll
  void close() {
    shell.close();
  }

  static Stream<Bomb> bombs() {
    return Stream.of(stages(), expressions(), texts(), filters(), updates())
        .flatMap(bombs -> bombs);
  }

  private static Stream<Bomb> stages() {
    String million = "{'$limit':1}," + unwinds(7);
    String billion = "{'$limit':1}," + unwinds(9);
    return Stream.of(
        piped("rows of $unwind", billion + ",{'$group':{'_id':1}}"),
        piped("a million groups", million + "," + groups() + ",{'$count':'n'}"),
        piped("$sort", million + ",{'$sort':{'r0':1,'r1':-1}},{'$count':'n'}"),
        piped("$match", billion + ",{'$match':{'$expr':{'$lt':[{'$add':['$r0','$r8']},0]}}}"),
        piped("$bucketAuto", million + ",{'$bucketAuto':{'groupBy':'$r0','buckets':3}}"),
        piped("$facet", "{'$facet':{'a':[" + billion + ",{'$count':'n'}]}}"),
        piped(
            "$densify",
            """
            {'$limit':1},
            {'$densify':{'field':'z','range':{'step':1,'bounds':[0,400000]}}},
            {'$group':{'_id':{'$size':{'$range':[0,{'$mod':[{'$ifNull':['$z',0]},1000]}]}}}}
            """),
        piped(
            "$lookup products",
            """
            {'$lookup':{'from':'c','pipeline':[],'as':'a'}},{'$unwind':'$a'},
            {'$lookup':{'from':'c','localField':'k','foreignField':'k','as':'b'}},
            {'$unwind':'$b'},{'$count':'n'}
            """),
        piped(
            "$lookup of nothing",
            """
            {'$lookup':{'from':'c','let':{'x':'$_id'},'as':'a','pipeline':[
              {'$match':{'$expr':{'$lt':['$_id',{'$multiply':['$$x',-1]}]}}}]}},{'$count':'n'}
            """),
        piped(
            "$graphLookup",
            """
            {'$graphLookup':{'from':'c','startWith':'$n','connectFromField':'n',
              'connectToField':'_id','as':'a'}},{'$count':'n'}
            """),
        piped(
            "$unionWith",
            "{'$unionWith':{'coll':'c','pipeline':[" + billion + "]}},{'$count':'n'}"),
        piped("$setWindowFields that gathers", window("'$max':'$n'", "[-2900,2900]")),
        piped(
            "$setWindowFields of pairs",
            window("'$covariancePop':['$_id','$n']", "[-2900,'unbounded']")),
        piped(
            "$redact",
            "{'$set':{'a':" + nested(2, 300) + "}},{'$redact':'$$DESCEND'},{'$count':'n'}"));
  }

  private static Stream<Bomb> expressions() {
    return Stream.of(
        computed("$map", often("{'$size':" + nested(2, 300) + "}")),
        computed(
            "$filter",
            """
            {'$filter':{'input':{'$range':[0,100000]},
              'cond':{'$in':['$$this',{'$range':[200000,300000]}]}}}
            """),
        computed(
            "$reduce that nests",
            """
            {'$reduce':{'input':{'$range':[0,100000]},'initialValue':1,'in':{'a':'$$value'}}}
            """),
        computed(
            "$reduce that grows",
            """
            {'$reduce':{'input':{'$range':[0,100000]},'initialValue':[],
              'in':{'$concatArrays':['$$value',['$$this']]}}}
            """),
        computed(
            "$sortArray",
            often(
                """
                {'$size':{'$sortArray':{'sortBy':1,'input':{'$map':{'input':{'$range':[0,200000]},
                  'in':{'$mod':[{'$multiply':['$$this',7919]},200003]}}}}}}
                """)),
        computed("$setUnion", often("{'$size':{'$setUnion':[{'$range':[0,300000]},['$$this']]}}")),
        computed(
            "$setIsSubset",
            often("{'$setIsSubset':[{'$range':[0,300000]},{'$range':['$$this',300000]}]}")),
        computed(
            "$zip",
            often(
                """
                {'$size':{'$zip':{'inputs':[{'$range':['$$this',100000]},{'$range':[0,100000]}]}}}
                """)),
        computed("many operands", often("{'$add':[" + operands(5000) + "]}")));
  }

  private static Stream<Bomb> texts() {
    String text = "'" + "a".repeat(2_000_000) + "'";
    String token = "'" + "a".repeat(1_000_000) + "b'";
    return Stream.of(
        computed("$indexOfCP", "{'$indexOfCP':[" + text + "," + token + "]}"),
        computed("$indexOfBytes", "{'$indexOfBytes':[" + text + "," + token + "]}"),
        computed("$split", "{'$split':[" + text + "," + token + "]}"),
        computed(
            "$replaceAll",
            "{'$replaceAll':{'input':" + text + ",'find':" + token + ",'replacement':''}}"),
        computed(
            "$trim", "{'$trim':{'input':" + text + ",'chars':'" + "b".repeat(1_000_000) + "a'}}"),
        computed(
            "$regexMatch",
            often(
                """
                {'$regexMatch':{'regex':'(a|aa)+$',
                  'input':{'$concat':['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',{'$toString':'$$this'}]}}}
                """)),
        computed(
            "$regexFindAll",
            often(
                "{'$size':{'$regexFindAll':{'regex':'(a)(b)','input':{'$concat':['"
                    + "ab".repeat(30_000)
                    + "',{'$toString':'$$this'}]}}}}")));
  }

  private static Stream<Bomb> filters() {
    return Stream.of(
        found(
            "$or of 200,000",
            "{'$or':[" + listed(200_000, i -> "{'a" + i % 7 + "':{'$gt':" + i + "}}") + "]}"),
        found(
            "$or of equalities",
            "{'$or':[" + listed(200_000, i -> "{'a" + i + "':" + i + "}") + "]}"),
        found(
            "$in of patterns", "{'_id':{'$in':[" + listed(100_000, InterruptTest::pattern) + "]}}"),
        found("$expr", "{'$expr':{'$gt':[{'$size':" + nested(2, 1000) + "},100000]}}"),
        found(
            "$jsonSchema",
            "{'$jsonSchema':{'anyOf':["
                + listed(50_000, i -> "{'required':['a" + i + "']}")
                + "]}}"));
  }

  private static Stream<Bomb> updates() {
    String slow = often("{'$size':" + nested(2, 300) + "}");
    String conditions = listed(20_000, i -> "{'x.c" + i % 5 + "':{'$gt':" + i + "}}");
    return Stream.of(
        command(
            "update with a pipeline",
            "{'update':'c','updates':[{'q':{},'multi':true,'u':[{'$set':{'a':" + slow + "}}]}]"),
        command(
            "update of one document with a pipeline",
            "{'update':'c','updates':[{'q':{'_id':1},'u':[{'$set':{'a':" + slow + "}}]}]"),
        command(
            "update with arrayFilters",
            "{'update':'wide','updates':[{'q':{},'u':{'$set':{'a.$[x].b':1}},'arrayFilters':["
                + "{'$or':["
                + conditions
                + "]}]}]"),
        command(
            "findAndModify with a computed projection",
            "{'findAndModify':'c','query':{'_id':1},'update':{'$set':{'q':1}},'fields':{'z':"
                + slow
                + "}"));
  }

  private static String unwinds(int count) {
    return listed(
        count, i -> "{'$set':{'r" + i + "':{'$range':[0,10]}}},{'$unwind':'$r" + i + "'}");
  }

  private static String groups() {
    return "{'$group':{'_id':['$r0','$r1','$r2','$r3','$r4','$r5','$r6'],'n':{'$sum':1}}}";
  }

  private static String window(String function, String documents) {
    String output = "{" + function + ",'window':{'documents':" + documents + "}}";
    return "{'$setWindowFields':{'sortBy':{'_id':1},'output':{"
        + listed(100, i -> "'a" + i + "':" + output)
        + "}}},{'$count':'n'}";
  }

  /** Nested arrays, each with {@code size} elements. */
  private static String nested(int depth, int size) {
    return depth == 0
        ? "'$$this'"
        : "{'$map':{'input':{'$range':[0," + size + "]},'in':" + nested(depth - 1, size) + "}}";
  }

  private static String often(String expression) {
    return "{'$map':{'input':{'$range':[0,10000]},'in':" + expression + "}}";
  }

  private static String operands(int count) {
    return listed(count, _ -> "{'$mod':['$$this',7]}");
  }

  private static String pattern(int i) {
    return "{'$regularExpression':{'pattern':'x" + i + "','options':''}}";
  }

  private static String listed(int count, IntFunction<String> value) {
    return IntStream.range(0, count).mapToObj(value).collect(Collectors.joining(","));
  }

  private static Bomb computed(String name, String expression) {
    return piped(name, "{'$set':{'z':" + expression + "}},{'$count':'n'}");
  }

  private static Bomb piped(String name, String stages) {
    return command(name, "{'aggregate':'c','pipeline':[" + stages + "],'cursor':{}");
  }

  private static Bomb found(String name, String filter) {
    return command(name, "{'find':'c','filter':" + filter);
  }

  private static Bomb command(String name, String open) {
    return new Bomb(name, Shell.json(open + ",'maxTimeMS':" + LIMIT_MILLIS + ",'$db':'d'}"));
  }

  @ParameterizedTest
  @MethodSource("bombs")
  void stopsAtItsTimeLimit(Bomb bomb) {
    long began = THREADS.getCurrentThreadCpuTime();
    Document reply = shell.reply(bomb.command());
    long took = THREADS.getCurrentThreadCpuTime() - began;
    assertThat(reply.field("code")).as("%s: %s", bomb, reply).isIn(LIMITS);
    assertThat(took).as(bomb.name()).isLessThan(LIMIT_MILLIS * 1_000_000 + LATE_NANOS);
  }
}
