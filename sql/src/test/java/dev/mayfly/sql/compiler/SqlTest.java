package dev.mayfly.sql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.query.Filter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What queries mean, clause by clause. */
final class SqlTest {
  private static final String ANDERSEN =
      "{'id':'1','name':'Andersen','age':40,'tags':['a','b'],'kids':[{'n':'Ann','pets':['x','y']},"
          + "{'n':'Bob'}],'home':{'city':'Oslo','zip':7}}";
  private static final String WAKEFIELD =
      "{'id':'2','name':'Wakefield','age':30.5,'tags':[],'home':{'city':'NYC'},'left':null}";

  private static List<String> run(String sql) {
    return InMemory.run(sql, ANDERSEN, WAKEFIELD);
  }

  private static String value(String expression) {
    List<String> results = InMemory.run("SELECT VALUE " + expression);
    return results.isEmpty() ? "undefined" : results.getFirst();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          1 + 2 * 3                         ; 7
          (1 + 2) * 3                       ; 9
          7 / 2                             ; 3.5
          -7 % 4                            ; -3
          1 / 0                             ; undefined
          NaN                               ; undefined
          [1, NaN, -Infinity]               ; [1]
          TOSTRING(NaN)                     ; "NaN"
          TOSTRING(Infinity)                ; "Infinity"
          STRINGTONUMBER(NaN)               ; undefined
          IS_FINITE_NUMBER(Infinity)        ; false
          {a: IIF(true, NaN, 1), b: 1}      ; {"b":1}
          TOSTRING(1e21)                    ; "1e+21"
          TOSTRING(-1.5e300)                ; "-1.5e+300"
          TOSTRING(1e20)                    ; "100000000000000000000"
          TOSTRING(0.000001)                ; "0.000001"
          TOSTRING(1e-7)                    ; "1e-7"
          TOSTRING(-0.0)                    ; "0"
          TOSTRING(2.0)                     ; "2"
          TOSTRING([1e21, {"a": 1.25e-9}])  ; "[1e+21,{\\"a\\":1.25e-9}]"
          STRINGTONUMBER(TOSTRING(1e21)) = 1e21 ; true
          STRINGTONUMBER('1e-7')            ; 1.0E-7
          1 + 'a'                           ; undefined
          0.1 + 0.2                         ; 0.30000000000000004
          9007199254740993                  ; 9007199254740993
          9007199254740993 = 9007199254740992 ; false
          0x1F                              ; 31
          1e3                               ; 1000
          .5                                ; 0.5
          -(-3)                             ; 3
          +'a'                              ; undefined
          ~5                                ; -6
          1 << 33                           ; 2
          -1 >>> 0                          ; 4294967295
          -8 >> 1                           ; -4
          5 & 3                             ; 1
          5 | 3                             ; 7
          5 ^ 3                             ; 6
          1 | 2 = 2                         ; undefined
          'a' || 'b' || 'c'                 ; "abc"
          'a' || 1                          ; undefined
          1 = 1.0                           ; true
          1 = '1'                           ; false
          1 != '1'                          ; true
          1 <> 2                            ; true
          null = null                       ; true
          undefined = undefined             ; undefined
          undefined != 1                    ; undefined
          [1, {"a": 1, "b": 2}] = [1, {"b": 2, "a": 1}] ; true
          [1] = [1, 2]                      ; false
          1 < 'a'                           ; undefined
          null <= null                      ; true
          false < true                      ; true
          [1] < [2]                         ; undefined
          'a' < 'b'                         ; true
          'Z' < 'a'                         ; true
          true AND undefined                ; undefined
          false AND undefined               ; false
          true OR undefined                 ; true
          false OR undefined                ; undefined
          true AND 1                        ; undefined
          true OR 1                         ; true
          NOT undefined                     ; undefined
          NOT 1                             ; undefined
          NOT true                          ; false
          NOT 1 = 2                         ; undefined
          NOT (1 = 2)                       ; true
          undefined ?? 5                    ; 5
          null ?? 5                         ; null
          undefined ?? undefined ?? 6       ; 6
          true ? 1 : 2                      ; 1
          1 ? 1 : 2                         ; 2
          undefined ? 1 : 2                 ; 2
          true ? false ? 1 : 2 : 3          ; 2
          1 IN (2, 1)                       ; true
          1 IN (2, undefined)               ; false
          undefined IN (1)                  ; undefined
          1 NOT IN (2)                      ; true
          2 BETWEEN 1 AND 3                 ; true
          'b' BETWEEN 1 AND 3               ; undefined
          2 NOT BETWEEN 1 AND 3 AND true    ; false
          'abc' LIKE 'a%'                   ; true
          'abc' LIKE '_b_'                  ; true
          'abc' LIKE '[a-c][^x]%'           ; true
          'abc' LIKE '[^a]%'                ; false
          'a%c' LIKE 'a!%c' ESCAPE '!'      ; true
          'abc' LIKE 'a!%c' ESCAPE '!'      ; false
          1 LIKE '1'                        ; undefined
          'abc' NOT LIKE 'b%'               ; true
          [1, undefined, 2]                 ; [1,2]
          {"a": undefined, b: 1}            ; {"b":1}
          {"a": 1, "a": 2}                  ; {"a":2}
          [1, 2][1]                         ; 2
          [1, 2][2]                         ; undefined
          [1, 2][-1]                        ; undefined
          [1, 2][0.5]                       ; undefined
          {"a": {"b": 3}}.a.b               ; 3
          {"a": 3}["a"]                     ; 3
          {"a": 3}['a' || '']               ; 3
          "a".b                             ; undefined
          'it\\'s'                          ; "it's"
          "\\u0041\\n"                      ; "A\\n"
          true                              ; true
          undefined                         ; undefined
          1 -- a remark                     ; 1
          """)
  void anExpressionHasTheValueOfTheService(String expression, String expected) {
    assertThat(value(expression)).isEqualTo(expected);
  }

  @Test
  void resultsAreNamedAfterTheirLastStepOrNumbered() {
    assertThat(
            run(
                "SELECT TOP 1 c.age, c.home.city, c['name'], 1, c.tags[0], c.age + 1 AS x, "
                    + "2 y, 'z' FROM c"))
        .containsExactly(
            "{\"age\":40,\"city\":\"Oslo\",\"name\":\"Andersen\",\"$1\":1,"
                + "\"$2\":\"a\",\"x\":41,\"y\":2,\"$3\":\"z\"}");
  }

  @Test
  void undefinedValuesYieldNoResultOrAnEmptyObject() {
    assertThat(run("SELECT VALUE c.home.zip FROM c")).containsExactly("7");
    assertThat(run("SELECT c.home.zip FROM c")).containsExactly("{\"zip\":7}", "{}");
  }

  @Test
  void aQueryWithoutFromHasOneResult() {
    assertThat(run("SELECT 1")).containsExactly("{\"$1\":1}");
    assertThat(run("SELECT VALUE 1 WHERE 1 = 2")).isEmpty();
  }

  @Test
  void fromMayUseAnyNameForTheContainer() {
    assertThat(run("SELECT VALUE Families.id FROM Families")).containsExactly("\"1\"", "\"2\"");
    assertThat(run("SELECT VALUE f.id FROM Families AS f")).containsExactly("\"1\"", "\"2\"");
    assertThat(run("SELECT VALUE f.id FROM ROOT f")).containsExactly("\"1\"", "\"2\"");
    assertThat(run("SELECT VALUE city FROM c.home.city")).containsExactly("\"Oslo\"", "\"NYC\"");
    assertThat(run("SELECT VALUE t FROM c.tags[1] t")).containsExactly("\"b\"");
    assertThat(run("SELECT * FROM c.home")).hasSize(2);
    assertThat(run("SELECT VALUE k.n FROM k IN c.kids")).containsExactly("\"Ann\"", "\"Bob\"");
  }

  @Test
  void aJoinYieldsEachElementOfEachItem() {
    assertThat(run("SELECT VALUE t FROM c JOIN t IN c.tags")).containsExactly("\"a\"", "\"b\"");
    assertThat(run("SELECT c.id, k.n, p FROM c JOIN k IN c.kids JOIN p IN k.pets"))
        .containsExactly(
            "{\"id\":\"1\",\"n\":\"Ann\",\"p\":\"x\"}", "{\"id\":\"1\",\"n\":\"Ann\",\"p\":\"y\"}");
    assertThat(run("SELECT VALUE [t, k.n] FROM c JOIN t IN c.tags JOIN k IN c.kids")).hasSize(4);
    assertThat(
            run(
                "SELECT VALUE m.name FROM c JOIN m IN (SELECT VALUE [{code: 1, name: \"one\"},"
                    + " {code: 2, name: \"two\"}]) WHERE m.code = 2 AND c.id = \"1\""))
        .containsExactly("\"two\"");
    assertThat(run("SELECT VALUE z FROM c JOIN z IN (SELECT VALUE c.home.zip)"))
        .containsExactly("7");
    assertThat(
            run(
                "SELECT VALUE k FROM c JOIN (SELECT VALUE k.n FROM k IN c.kids WHERE k.n > "
                    + "'An') AS k"))
        .containsExactly("\"Ann\"", "\"Bob\"");
  }

  @Test
  void aJoinMayIterateOverAFunctionResult() {
    assertThat(
            InMemory.run(
                "SELECT kv[\"key\"] AS k, kv[\"value\"] AS v FROM p"
                    + " JOIN kv IN OBJECTTOARRAY(p.m, 'key', 'value') WHERE kv[\"value\"] > 1",
                "{'m':{'a':1,'b':2,'c':3}}",
                "{'m':4}"))
        .containsExactly("{\"k\":\"b\",\"v\":2}", "{\"k\":\"c\",\"v\":3}");
    assertThat(run("SELECT VALUE x FROM c JOIN k IN c.kids JOIN x IN ARRAY_SLICE(k.pets, 1)"))
        .containsExactly("\"y\"");
    assertThat(run("SELECT VALUE x FROM c JOIN x IN ARRAY(SELECT VALUE k.n FROM k IN c.kids)"))
        .containsExactly("\"Ann\"", "\"Bob\"");
    assertThat(run("SELECT VALUE c.id FROM c WHERE EXISTS(SELECT 1 FROM x IN REVERSE(c.name))"))
        .isEmpty();
  }

  @Test
  void whereKeepsRowsWithATrueCondition() {
    assertThat(run("SELECT VALUE c.id FROM c WHERE c.age > 35")).containsExactly("\"1\"");
    assertThat(run("SELECT VALUE c.id FROM c WHERE 35 < c.age")).containsExactly("\"1\"");
    assertThat(run("SELECT VALUE c.id FROM c WHERE c.age")).isEmpty();
    assertThat(run("SELECT VALUE c.id FROM c WHERE c[\"left\"] = null")).containsExactly("\"2\"");
    assertThat(run("SELECT VALUE c.id FROM c WHERE NOT (c[\"left\"] = 1)"))
        .containsExactly("\"2\"");
    assertThat(run("SELECT VALUE c.id FROM c WHERE c.nowhere != 1")).isEmpty();
    assertThat(run("SELECT VALUE c.id FROM c JOIN k IN c.kids WHERE k.n = 'Bob' AND c.id = '1'"))
        .containsExactly("\"1\"");
    assertThat(run("SELECT VALUE c.id FROM c WHERE ARRAY_CONTAINS(c.tags, 'b')"))
        .containsExactly("\"1\"");
  }

  @Test
  void scalarSubqueriesYieldValues() {
    assertThat(run("SELECT VALUE (SELECT VALUE COUNT(1) FROM t IN c.tags) FROM c"))
        .containsExactly("2", "0");
    assertThat(run("SELECT VALUE ARRAY(SELECT VALUE k.n FROM k IN c.kids) FROM c"))
        .containsExactly("[\"Ann\",\"Bob\"]", "[]");
    assertThat(
            run(
                "SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE k FROM k IN c.kids "
                    + "WHERE k.n = 'Bob')"))
        .containsExactly("\"1\"");
    assertThat(run("SELECT VALUE c.id FROM c WHERE NOT EXISTS(SELECT VALUE k FROM k IN c.kids)"))
        .containsExactly("\"2\"");
    assertThat(run("SELECT VALUE FIRST(SELECT VALUE t FROM t IN c.tags) FROM c"))
        .containsExactly("\"a\"");
    assertThat(run("SELECT VALUE LAST(SELECT VALUE t FROM t IN c.tags) FROM c"))
        .containsExactly("\"b\"");
    assertThat(run("SELECT VALUE ALL(SELECT VALUE t < 'z' FROM t IN c.tags) FROM c"))
        .containsExactly("true", "true");
    assertThat(run("SELECT VALUE x FROM (SELECT VALUE c.id FROM c WHERE c.age < 35) x"))
        .containsExactly("\"2\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT t FROM t IN c.tags",
        "SELECT VALUE t FROM t IN c.tags WHERE t = 'a'",
        "SELECT VALUE 1 FROM c.home h JOIN t IN c.tags",
        "SELECT VALUE t FROM t IN (SELECT VALUE c.tags)",
        "SELECT VALUE x FROM (SELECT VALUE t FROM t IN c.tags) x",
        "SELECT VALUE COUNT(1) FROM t IN c.tags GROUP BY t",
      })
  void aMultiRowScalarSubqueryIsRejected(String subquery) {
    assertThatThrownBy(() -> InMemory.run("SELECT VALUE (" + subquery + ") FROM c"))
        .isInstanceOfSatisfying(
            SqlException.class,
            refused -> assertThat(refused.text()).contains("cardinality of a scalar subquery"));
  }

  @Test
  void aSubqueryOfOneRowIsAValue() {
    assertThat(run("SELECT VALUE (SELECT VALUE h.zip FROM c.home h) FROM c")).containsExactly("7");
    assertThat(run("SELECT VALUE (SELECT VALUE x FROM (SELECT VALUE c.home.zip) x) FROM c"))
        .containsExactly("7");
    assertThat(
            run(
                "SELECT VALUE (SELECT VALUE n FROM (SELECT VALUE COUNT(1) FROM t IN c.tags) n)"
                    + " FROM c"))
        .containsExactly("2", "0");
  }

  @Test
  void aggregatesCoverAllRows() {
    assertThat(run("SELECT VALUE COUNT(1) FROM c")).containsExactly("2");
    assertThat(
            run(
                "SELECT COUNT(c.kids) AS k, SUM(c.age) s, AVG(c.age) a, MIN(c.name) lo, "
                    + "MAX(c.name) hi FROM c"))
        .containsExactly(
            "{\"k\":1,\"s\":70.5,\"a\":35.25,\"lo\":\"Andersen\",\"hi\":\"Wakefield\"}");
    assertThat(
            run("SELECT VALUE [{\"item\": {\"sum\": SUM(c.age), \"count\": COUNT(c.age)}}] FROM c"))
        .containsExactly("[{\"item\":{\"sum\":70.5,\"count\":2}}]");
    assertThat(run("SELECT VALUE SUM(c.name) FROM c")).isEmpty();
    assertThat(run("SELECT VALUE SUM(c.nowhere) FROM c")).containsExactly("0");
    assertThat(run("SELECT VALUE AVG(c.nowhere) FROM c")).isEmpty();
    assertThat(run("SELECT VALUE MAX(c.tags) FROM c")).isEmpty();
    assertThat(run("SELECT VALUE COUNT(1) FROM c WHERE c.age > 99")).containsExactly("0");
    assertThat(run("SELECT VALUE MAX(c.age) - MIN(c.age) FROM c")).containsExactly("9.5");
    assertThat(run("SELECT VALUE COUNTIF(c.age > 35) FROM c")).containsExactly("1");
    assertThat(run("SELECT VALUE MAKESET(1) FROM c")).containsExactly("[1]");
    assertThat(run("SELECT VALUE MAKELIST(c.id) FROM c")).containsExactly("[\"1\",\"2\"]");
  }

  @Test
  void groupsHaveEqualKeys() {
    assertThat(
            InMemory.run(
                "SELECT c.k, COUNT(1) AS n, {\"twice\": c.k} AS o FROM c GROUP BY c.k",
                "{'k':1}",
                "{'k':'a'}",
                "{'k':1.0}",
                "{}",
                "{'k':{'a':1,'b':2}}",
                "{'k':{'b':2,'a':1}}"))
        .containsExactly(
            "{\"k\":1,\"n\":2,\"o\":{\"twice\":1}}",
            "{\"k\":\"a\",\"n\":1,\"o\":{\"twice\":\"a\"}}",
            "{\"n\":1,\"o\":{}}",
            "{\"k\":{\"a\":1,\"b\":2},\"n\":2,\"o\":{\"twice\":{\"a\":1,\"b\":2}}}");
    assertThat(InMemory.run("SELECT VALUE COUNT(1) FROM c GROUP BY c.k")).isEmpty();
    assertThat(InMemory.run("SELECT c.a.b FROM c GROUP BY c.a", "{'a':{'b':1}}"))
        .containsExactly("{\"b\":1}");
    assertThat(
            InMemory.run(
                "SELECT VALUE UPPER(LOWER(c.a)) FROM c GROUP BY LOWER(c.a)",
                "{'a':'x'}",
                "{'a':'X'}"))
        .containsExactly("\"X\"");
  }

  @Test
  void anAliasThatIsGroupedByHasProperties() {
    String[] items = {
      "{'groups':[{'name':'x','k':1},{'name':'y','k':2}]}", "{'groups':[{'name':'x','k':1}]}"
    };
    assertThat(
            InMemory.run(
                "SELECT g1.name, g1.k + 1 AS k, COUNT(1) AS n FROM c JOIN g1 IN c.groups GROUP BY"
                    + " g1",
                items))
        .containsExactly("{\"name\":\"x\",\"k\":2,\"n\":2}", "{\"name\":\"y\",\"k\":3,\"n\":1}");
    assertThat(InMemory.run("SELECT VALUE c.groups[0].name FROM c GROUP BY c", items))
        .containsExactly("\"x\"", "\"x\"");
  }

  @Test
  void distinctResultsDifferWhateverTheOrderOfFields() {
    assertThat(
            InMemory.run(
                "SELECT DISTINCT VALUE c.k FROM c",
                "{'k':{'a':1,'b':2}}",
                "{'k':{'b':2,'a':1}}",
                "{'k':1}",
                "{'k':1.0}"))
        .hasSize(2);
  }

  @Test
  void orderIsByTypeThenByValue() {
    assertThat(
            InMemory.run(
                "SELECT VALUE c.n FROM c ORDER BY c.k",
                "{'n':1,'k':{}}",
                "{'n':2,'k':[1]}",
                "{'n':3,'k':'a'}",
                "{'n':4,'k':-1}",
                "{'n':5,'k':true}",
                "{'n':6,'k':null}",
                "{'n':7}"))
        .containsExactly("7", "6", "5", "4", "3", "2", "1");
  }

  @Test
  void topOffsetAndLimitTakeParameters() {
    Map<String, Value> parameters = Map.of("@a", Value.of(1), "@b", Value.of(1));
    List<Value> found =
        InMemory.run(
            Parser.parse("SELECT VALUE c.id FROM c ORDER BY c.id OFFSET @a LIMIT @b"),
            List.of(InMemory.json(ANDERSEN), InMemory.json(WAKEFIELD)),
            parameters);
    assertThat(found).containsExactly(Value.of("2"));
  }

  @Test
  void computedPropertiesAreHiddenByStoredOnes() {
    Map<String, Select> computed =
        Map.of("lower", Parser.parse("SELECT VALUE LOWER(c.name) FROM c"));
    Select query =
        Parser.parse("SELECT VALUE x.lower FROM x WHERE x.lower != 'z' ORDER BY x.lower");
    CompiledQuery compiled = Compiler.compile(query, Map.of(), computed);
    assertThat(
            InMemoryQuery.of(
                compiled,
                List.of(InMemory.json("{'name':'B'}"), InMemory.json("{'name':'C','lower':'a'}")),
                0))
        .containsExactly(Value.of("a"), Value.of("b"));
    assertThat(compiled.filter()).isEqualTo(Filter.all());
  }

  @Test
  void conditionsOnPathsBecomeFilters() {
    CompiledQuery query =
        Compiler.compile(
            Parser.parse(
                "SELECT * FROM c WHERE c.a = 1 AND (c.b > 2 OR NOT IS_DEFINED(c.x)) AND "
                    + "STARTSWITH(c.s, 'p')"
                    + " AND c.t BETWEEN 1 AND 2 AND c.l LIKE 'q%' AND c.u IN (1, 2) AND "
                    + "LOWER(c.v) = 'w' AND c._ts > 1"),
            Map.of(),
            Map.of());
    assertThat(query.filter().conjuncts()).hasSize(8);
    assertThat(query.plain()).isFalse();
    assertThat(query.decorated()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          SELECT * FROM c WHERE                      | SC1001
          SELEC * FROM c                             | SC1001
          SELECT * FROM c WHERE c.a == 1             | SC1001
          SELECT TOP -1 * FROM c                     | SC1001
          SELECT * FROM c OFFSET 1                   | SC1001
          SELECT * FROM c LIMIT 1                    | SC1001
          SELECT * FROM c WHERE c.a = 'x             | SC1010
          SELECT * FROM c WHERE c.a = 1x             | SC1012
          SELECT VALUE d.x FROM c                    | SC2001
          SELECT VALUE c.x FROM d                    | SC2001
          SELECT VALUE @p FROM c                     | SC2001
          SELECT VALUE NO_SUCH(c.x) FROM c           | SC2005
          SELECT VALUE ABS() FROM c                  | SC2050
          SELECT VALUE ABS(1, 2) FROM c              | SC2050
          SELECT * FROM c GROUP BY c.x               | SC2041
          SELECT *                                   | SC2040
          SELECT * FROM c JOIN t IN c.tags           | SC2040
          SELECT TOP 2147483648 * FROM c             | SC2060
          SELECT * FROM c OFFSET 0 LIMIT 2147483648  | SC2061
          SELECT * FROM c OFFSET 2147483648 LIMIT 1  | SC2062
          SELECT VALUE 1 BETWEEN 2 AND 3 BETWEEN 4 AND 5 | SC1001
          SELECT VALUE 1 IN (1) IN (true)            | SC1001
          SELECT VALUE 'a' LIKE 'a' LIKE 'b'         | SC1001
          SELECT VALUE value.x FROM value            | SC1001
          SELECT c.x AS value FROM c                 | SC1001
          SELECT VALUE x FROM c JOIN x IN [1, 2]     | SC1001
          SELECT * FROM c OFFSET 1.5 LIMIT 1         | SC2062
          SELECT VALUE SUM(MAX(c.a)) FROM c          | SC2101
          SELECT * FROM c WHERE COUNT(1) > 1         | SC2101
          SELECT c.a, COUNT(1) FROM c                | SC2102
          SELECT c.b FROM c GROUP BY c.a             | SC2102
          SELECT VALUE (SELECT VALUE 1 FROM t IN c.a ORDER BY t) FROM c | SC2202
          SELECT VALUE (SELECT TOP 1 VALUE 1) FROM c | SC2203
          SELECT VALUE (SELECT VALUE 1 OFFSET 0 LIMIT 1) FROM c | SC2204
          SELECT * FROM c ORDER BY LOWER(c.a)        | 2206
          SELECT COUNT(1) FROM c GROUP BY c.a ORDER BY c.a | SC2103
          SELECT VALUE udf.f(1)                      | SC2006
          """)
  void invalidQueriesFailWithTheCodesOfCosmosDb(String sql, String code) {
    assertThatThrownBy(() -> run(sql))
        .isInstanceOfSatisfying(
            SqlException.class, refused -> assertThat(refused.code()).isEqualTo(code));
  }

  @Test
  void errorsContainTheirPosition() {
    assertThatThrownBy(() -> run("SELECT * FROM c WHER c.a = 1"))
        .isInstanceOfSatisfying(
            SqlException.class,
            refused ->
                assertThat(refused.json())
                    .isEqualTo(
                        "{\"errors\":[{\"severity\":\"Error\","
                            + "\"location\":{\"start\":21,\"end\":22},"
                            + "\"code\":\"SC1001\",\"message\":\"Syntax error, incorrect "
                            + "syntax near 'c'.\"}]}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "value",
        "order",
        "Group",
        "SELECT",
        "top",
        "limit",
        "in",
        "like",
        "left",
        "right",
        "array",
        "exists",
        "escape",
        "by",
        "true",
        "null",
        "undefined",
        "udf"
      })
  void keywordsAreNamesOfPropertiesInBracketsOnly(String keyword) {
    String item = "{'" + keyword + "':1}";
    assertThatThrownBy(() -> InMemory.run("SELECT VALUE c." + keyword + " FROM c", item))
        .isInstanceOfSatisfying(
            SqlException.class, refused -> assertThat(refused.code()).isEqualTo("SC1001"));
    assertThat(InMemory.run("SELECT VALUE c[\"" + keyword + "\"] FROM c", item))
        .containsExactly("1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "first", "last", "rank", "count", "True", "values", "orders"})
  void otherWordsArePropertyNames(String word) {
    assertThat(InMemory.run("SELECT VALUE c." + word + " FROM c", "{'" + word + "':1}"))
        .containsExactly("1");
  }
}
