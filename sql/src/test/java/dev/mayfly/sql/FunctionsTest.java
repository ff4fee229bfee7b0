package dev.mayfly.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Each line of a table is a call and its value: name, arguments as a JSON array, result. The word
 * undefined stands for itself.
 */
final class FunctionsTest {
  /** 2023-11-14T22:13:20.123Z. */
  private static final long NOW = 1_700_000_000_123L;

  private static final String UNDEFINED = "{\"$undefined\":true}";

  @Test
  void typeChecksHandleEveryValue() {
    holds(
        """
        IS_DEFINED [undefined] false
        IS_DEFINED [null] true
        IS_NULL [undefined] false
        IS_NULL [null] true
        IS_ARRAY [[]] true
        IS_ARRAY [{}] false
        IS_OBJECT [{}] true
        IS_OBJECT [[]] false
        IS_OBJECT [undefined] false
        IS_BOOL [false] true
        IS_BOOLEAN [false] true
        IS_BOOL [0] false
        IS_NUMBER [1.5] true
        IS_NUMBER ["1"] false
        IS_NUMBER [{"$numberDouble":"NaN"}] true
        IS_STRING [""] true
        IS_PRIMITIVE [null] true
        IS_PRIMITIVE [undefined] false
        IS_PRIMITIVE [[1]] false
        IS_FINITE_NUMBER [1] true
        IS_FINITE_NUMBER [{"$numberDouble":"Infinity"}] false
        IS_FINITE_NUMBER ["1"] false
        IS_INTEGER [5523432] true
        IS_INTEGER [3454.123] false
        IS_INTEGER [2.0] true
        IS_INTEGER [9.3e18] false
        IS_INTEGER ["2"] false
        IS_DATETIME ["2023-03-06"] true
        IS_DATETIME ["2023-03-06Z"] true
        IS_DATETIME ["2023-03-06 15:29:00Z"] true
        IS_DATETIME ["2023-03-06T15:29:59.9"] true
        IS_DATETIME ["2023-03-06T15:29:59.12345678Z"] false
        IS_DATETIME ["2023-03-06T15:29"] false
        IS_DATETIME ["2023-02-30"] false
        IS_DATETIME ["2023-3-6"] false
        IS_DATETIME [5] false
        """);
  }

  @Test
  void argumentsOfAnotherTypeAreUndefined() {
    holds(
        """
        LENGTH [1] undefined
        LENGTH [undefined] undefined
        LENGTH [null] undefined
        CONCAT ["a", undefined] undefined
        CONCAT ["a", 1] undefined
        CONTAINS ["a", "a", "true"] undefined
        CONTAINS ["a", "a", undefined] undefined
        ABS ["1"] undefined
        POWER [2, null] undefined
        ARRAY_LENGTH ["abc"] undefined
        ARRAY_SLICE [[1], "0"] undefined
        ARRAY_SLICE [[1], 0.5] undefined
        ARRAY_SLICE [[1], 0, 0.5] undefined
        INTADD [1, 1.5] undefined
        TOSTRING [undefined] undefined
        """);
  }

  @Test
  void stringSearchFunctions() {
    holds(
        """
        CONTAINS ["AdventureWorks", "ture"] true
        CONTAINS ["AdventureWorks", "TURE"] false
        CONTAINS ["AdventureWorks", "TURE", true] true
        CONTAINS ["abc", ""] true
        CONTAINS ["", "a", true] false
        STARTSWITH ["AdventureWorks", "adv"] false
        STARTSWITH ["AdventureWorks", "adv", true] true
        STARTSWITH ["a", "ab"] false
        ENDSWITH ["AdventureWorks", "Works"] true
        ENDSWITH ["AdventureWorks", "works", true] true
        ENDSWITH ["a", "ba"] false
        STRINGEQUALS ["abc", "ABC"] false
        STRINGEQUALS ["abc", "ABC", true] true
        INDEX_OF ["AdventureWorks", "Works"] 9
        INDEX_OF ["abc", "x"] -1
        INDEX_OF ["abcabc", "a", 1] 3
        INDEX_OF ["abc", "a", 9] -1
        INDEX_OF ["abc", "a", -5] 0
        LASTINDEXOF ["abcabc", "a"] 3
        LASTINDEXOF ["abcabc", "a", 2] 0
        LASTINDEXOF ["abc", "x"] -1
        LASTINDEXOF ["abcdeabc", "abc", 6] 0
        LASTINDEXOF ["abcdeabc", "abc", 7] 5
        LASTINDEXOF ["abcdeabc", "abc", 100] 5
        LASTINDEXOF ["abcdeabc", "abc", 1] -1
        LASTINDEXOF ["abc", "a", -1] -1
        LASTINDEXOF ["abc", "", 1] 1
        CONTAINS_ANY_CI ["Road Bike", "x", "BIKE"] true
        CONTAINS_ANY_CS ["Road Bike", "x", "BIKE"] false
        CONTAINS_ANY_CS ["Road Bike", undefined, "Bike"] true
        CONTAINS_ANY_CS ["Road Bike", undefined] undefined
        CONTAINS_ANY_CI ["abc", undefined, "x"] undefined
        CONTAINS_ANY_CI ["abc", undefined, "B"] true
        CONTAINS_ANY_CI ["abc", 1, "x"] undefined
        CONTAINS_ALL_CI ["abc", undefined, "x"] false
        CONTAINS_ALL_CI ["abc", "B", undefined] undefined
        CONTAINS_ALL_CI ["Road Bike", "ROAD", "BIKE"] true
        CONTAINS_ALL_CS ["Road Bike", "Road", "BIKE"] false
        CONTAINS_ALL_CS ["Road Bike", undefined, "Bike"] undefined
        CONTAINS_ALL_CS ["Road Bike", undefined, "x"] false
        CONTAINSANYCI ["Road Bike", "x", "BIKE"] true
        """);
  }

  @Test
  void substringAndCaseFunctions() {
    holds(
        """
        CONCAT ["a", "b", "c"] "abc"
        LEFT ["AdventureWorks", 9] "Adventure"
        LEFT ["abc", 0] ""
        LEFT ["abc", -1] ""
        LEFT ["abc", 99] "abc"
        RIGHT ["AdventureWorks", 5] "Works"
        RIGHT ["abc", 0] ""
        RIGHT ["abc", -2] ""
        RIGHT ["abc", 1e300] undefined
        RIGHT ["abc", 1.5] undefined
        LEFT ["abc", 1.5] undefined
        LEFT ["abc", 2.0] "ab"
        LENGTH [""] 0
        LENGTH ["AdventureWorks"] 14
        LOWER ["AbC"] "abc"
        UPPER ["straße"] "STRASSE"
        LTRIM ["  abc  "] "abc  "
        LTRIM ["AdventureWorks", "Works"] "AdventureWorks"
        LTRIM ["AdventureWorks", "Adventure"] "Works"
        LTRIM ["AdventureWorks", "AdventureWorks"] ""
        LTRIM ["AdventureWorks", ""] "AdventureWorks"
        RTRIM ["  abc  "] "  abc"
        TRIM ["  abc  "] "abc"
        TRIM ["-_-AdventureWorks-_-", "-_"] "AdventureWorks"
        TRIM ["-- AdventureWorks --", "-"] " AdventureWorks "
        REPLACE ["aXbX", "X", "--"] "a--b--"
        REPLACE ["abc", "", "x"] undefined
        SUBSTRING ["AdventureWorks", 0, 9] "Adventure"
        SUBSTRING ["AdventureWorks", 9, 5] "Works"
        SUBSTRING ["AdventureWorks", 9, 99] "Works"
        SUBSTRING ["AdventureWorks", 99, 1] ""
        SUBSTRING ["AdventureWorks", 0, -1] ""
        SUBSTRING ["AdventureWorks", -1, 3] ""
        SUBSTRING ["AdventureWorks", 0.5, 3] undefined
        SUBSTRING ["AdventureWorks", 0, 3.5] undefined
        REVERSE ["abc"] "cba"
        REPLICATE ["ab", 3] "ababab"
        REPLICATE ["ab", 0] ""
        REPLICATE ["ab", -1] undefined
        REPLICATE ["ab", 5001] undefined
        REPLICATE ["", 1e18] undefined
        STRINGJOIN [["a", "b"], ", "] "a, b"
        STRINGJOIN [[], ", "] ""
        STRINGJOIN [["a", 1], ", "] undefined
        STRINGJOIN [["a", "b"], undefined] undefined
        STRINGSPLIT ["xenmoun mountain bike", "moun"] ["xen", " ", "tain bike"]
        STRINGSPLIT ["Helmet", ""] ["Helmet"]
        STRINGSPLIT ["", ""] [""]
        STRINGSPLIT ["a,", ","] ["a", ""]
        SUBSTRINGAFTER ["a/b/c", "/"] "b/c"
        SUBSTRINGBEFORE ["a/b/c", "/"] "a"
        LASTSUBSTRINGAFTER ["bike::touring::frame", "::"] "frame"
        LASTSUBSTRINGBEFORE ["bike::touring::frame", "::"] "bike::touring"
        SUBSTRINGAFTER ["abc", "/"] undefined
        """);
  }

  @Test
  void stringConversionFunctions() {
    holds(
        """
        TOSTRING [1.0] "1"
        TOSTRING [1.25] "1.25"
        TOSTRING ["Hello"] "Hello"
        TOSTRING [false] "false"
        TOSTRING [null] "null"
        TOSTRING [{"a": [1, "b"]}] "{\\"a\\":[1,\\"b\\"]}"
        TOSTRING [{"$numberDouble":"NaN"}] "NaN"
        TOSTRING [12345678.9] "12345678.9"
        TOSTRING [0.00001] "0.00001"
        TOSTRING [[-0.0005]] "[-0.0005]"
        STRINGTONUMBER ["100"] 100
        STRINGTONUMBER ["   60   "] 60
        STRINGTONUMBER ["-1.79769e+308"] -1.79769e+308
        STRINGTONUMBER ["0x10"] undefined
        STRINGTONUMBER ["Hello"] undefined
        STRINGTONUMBER ["1 2"] undefined
        STRINGTONUMBER ["\\"1\\""] undefined
        STRINGTONUMBER [1] undefined
        STRINGTOBOOLEAN [" true "] true
        STRINGTOBOOLEAN ["TRUE"] undefined
        STRINGTONULL ["null"] null
        STRINGTONULL ["NULL"] undefined
        STRINGTOARRAY ["[1,[2]]"] [1,[2]]
        STRINGTOARRAY ["['a']"] undefined
        STRINGTOARRAY ["{}"] undefined
        STRINGTOOBJECT ["{\\"a\\":1}"] {"a":1}
        STRINGTOOBJECT ["{a:1}"] undefined
        STRINGTOOBJECT [""] undefined
        """);
  }

  @Test
  void regularExpressionFunctions() {
    holds(
        """
        REGEXMATCH ["abcd", "ABC"] false
        REGEXMATCH ["abcd", "ABC", "i"] true
        REGEXMATCH ["abcd", "ab.", ""] true
        REGEXMATCH ["abcd", "ab c", "x"] true
        REGEXMATCH ["abcd", "aB c", "ix"] true
        REGEXMATCH ["a\\nb", "^b"] false
        REGEXMATCH ["a\\nb", "^b", "m"] true
        REGEXMATCH ["a\\nb", "a.b", "s"] true
        REGEXMATCH [undefined, "a"] undefined
        REGEXMATCH ["a", "a", 1] undefined
        REGEXEXTRACT ["A12-B34", "[0-9]+"] "12"
        REGEXEXTRACT ["A12-B34", "([A-Z])([0-9]+)", "", 2] "12"
        REGEXEXTRACT ["A12-B34", "([A-Z])", "", 2] undefined
        REGEXEXTRACT ["A12-B34", "x"] undefined
        REGEXEXTRACTALL ["A12-B34-C56", "[0-9]+"] ["12", "34", "56"]
        REGEXEXTRACTALL ["A12-B34", "([A-Z])[0-9]+", "", 1] ["A", "B"]
        REGEXEXTRACTALL ["A12-B34", "x"] []
        """);
  }

  @Test
  void aMalformedPatternFailsTheQuery() {
    assertThatThrownBy(() -> call("REGEXMATCH", "[\"a\", \"(\"]"))
        .isInstanceOfSatisfying(
            QueryException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BAD_PATTERN));
  }

  @Test
  void catastrophicBacktrackingFailsTheQuery() {
    String text = "a".repeat(500);
    assertThatThrownBy(() -> call("REGEXMATCH", "[\"" + text + "\", \"a*a*a*a*a*a*a*b\"]"))
        .isInstanceOfSatisfying(
            QueryException.class, e -> assertThat(e.reason()).isEqualTo(Reason.PATTERN_TOO_COSTLY));
  }

  @Test
  void anOversizedReplacementIsUndefined() {
    Value text = Value.of("a".repeat(1 << 20));
    Value[] arguments = {text, Value.of("a"), text};

    assertThat(function("REPLACE").call(arguments, Row.of(0, NOW))).isEqualTo(Value.MISSING);
  }

  @Test
  void roundingKeepsIntegersExact() {
    holds(
        """
        ABS [-5] 5
        ABS [-1.5] 1.5
        ABS [-9223372036854775807] 9223372036854775807
        CEILING [62.4] 63
        CEILING [9223372036854775807] 9223372036854775807
        FLOOR [-62.4] -63
        ROUND [2.5] 3
        ROUND [-2.5] -3
        ROUND [2.4] 2
        ROUND [0.49999999999999994] 0
        ROUND [4503599627370497.0] 4503599627370497
        ROUND [2.375, 2] 2.38
        ROUND [-2.375, 2] -2.38
        ROUND [1234, 2] 1234
        ROUND [1250, -2] 1300
        ROUND [-1250.5, -2] -1300
        ROUND [9223372036854775807, -1] 9.223372036854775807e18
        ROUND [49, -2] 0
        ROUND [1.5, 2147483647] 1.5
        ROUND [1.5, -2147483648] 0
        ROUND [1.7976931348623157e308, -308] undefined
        ROUND [1.5, 0.5] undefined
        ROUND [1.5, "1"] undefined
        TRUNC [-2.6] -2
        SIGN [-2.6] -1
        SIGN [0] 0
        SQRT [16] 4
        SQRT [-1] undefined
        POWER [0, -1] undefined
        EXP [1000] undefined
        LOG [0] undefined
        LOG [8, 1] undefined
        LOG10 [-1] undefined
        ACOS [2] undefined
        COT [0] undefined
        NUMBERBIN [37.752, -100] 100
        NUMBERBIN [37.752, 0.1] 37.7
        SQUARE [-3] 9
        POWER [2, 10] 1024
        EXP [0] 1
        LOG [1] 0
        LOG [8, 2] 3
        LOG10 [100] 2
        NUMBERBIN [37.5] 37
        NUMBERBIN [-37.5, 10] -40
        NUMBERBIN [37, 0] undefined
        DEGREES [0] 0
        RADIANS [0] 0
        SIN [0] 0
        COS [0] 1
        TAN [0] 0
        ASIN [0] 0
        ACOS [1] 0
        ATAN [0] 0
        ATN2 [0, 1] 0
        """);
    assertThat(call("PI", "[]").asDouble()).isEqualTo(Math.PI);
    assertThat(call("COT", "[1]").asDouble()).isEqualTo(1 / Math.tan(1));
    assertThat(call("RAND", "[]").asDouble()).isBetween(0.0, 1.0);
    assertThat(function("RAND").deterministic()).isFalse();
  }

  @Test
  void integersWrapAround() {
    holds(
        """
        INTADD [9223372036854775807, 1] -9223372036854775808
        INTSUB [20, 10.0] 10
        INTMUL [20, 10] 200
        INTDIV [-7, 2] -3
        INTDIV [7, 0] undefined
        INTMOD [-7, 2] -1
        INTMOD [7, 0] undefined
        INTBITAND [12, 10] 8
        INTBITOR [12, 10] 14
        INTBITXOR [12, 10] 6
        INTBITNOT [0] -1
        INTBITLEFTSHIFT [16, 4] 256
        INTBITLEFTSHIFT [1, 64] undefined
        INTBITRIGHTSHIFT [-16, 4] -1
        INTBITWISEAND [12, 10] 8
        """);
  }

  @Test
  void arraysAreSearchedByDeepEquality() {
    holds(
        """
        ARRAY_CONTAINS [["a", "b"], "a"] true
        ARRAY_CONTAINS [["a", "b"], "c"] false
        ARRAY_CONTAINS [[], null] false
        ARRAY_CONTAINS [[1], 1.0] true
        ARRAY_CONTAINS [[1], "1"] false
        ARRAY_CONTAINS [[1], undefined] undefined
        ARRAY_CONTAINS ["a", "a"] undefined
        ARRAY_CONTAINS [[{"a": 1, "b": 2}], {"b": 2, "a": 1}] true
        ARRAY_CONTAINS [[{"a": 1, "b": 2}], {"a": 1}] false
        ARRAY_CONTAINS [[{"a": 1, "b": 2}], {"a": 1}, undefined] false
        ARRAY_CONTAINS [[{"a": 1, "b": 2}], {"a": 1}, true] true
        ARRAY_CONTAINS [[{"a": 1, "b": 2}], {"a": 2}, true] false
        ARRAY_CONTAINS [[{"a": {"x": 1, "y": 2}}], {"a": {"y": 2}}, true] true
        ARRAY_CONTAINS [[{"a": 1}], {}, true] true
        ARRAY_CONTAINS_ANY [[1, 2, 3, 4], 2, 3, 4, 5] true
        ARRAY_CONTAINS_ANY [[1, 2, 3, 4], 1, undefined] true
        ARRAY_CONTAINS_ANY [[1, 2, 3, 4], 5, undefined] undefined
        ARRAY_CONTAINS_ANY [[], 1, 2, 3] false
        ARRAY_CONTAINS_ALL [[1, true, "3", [1, 2, 3]], 1, true, "3", [1, 2, 3]] true
        ARRAY_CONTAINS_ALL [[1, 2], 1, undefined] undefined
        ARRAY_CONTAINS_ALL [[1, 2], 3, undefined] false
        _TRY_ARRAY_CONTAINS [undefined, 1] false
        _TRY_ARRAY_CONTAINS [[1], 1] true
        """);
  }

  @Test
  void arraySliceConcatAndSumFunctions() {
    holds(
        """
        ARRAY_CONCAT [["a"], ["b", "c"], []] ["a", "b", "c"]
        ARRAY_CONCAT [["a"], "b"] undefined
        ARRAY_LENGTH [[1, [2, 3]]] 2
        ARRAY_SLICE [["a", "b", "c"], 1] ["b", "c"]
        ARRAY_SLICE [["a", "b", "c"], 1, 1] ["b"]
        ARRAY_SLICE [["a", "b", "c"], -2, 1] ["b"]
        ARRAY_SLICE [["a", "b", "c"], -9] ["a", "b", "c"]
        ARRAY_SLICE [["a", "b", "c"], 1, 0] []
        ARRAY_SLICE [["a", "b", "c"], 1, -1] []
        ARRAY_SLICE [["a", "b", "c"], 1, 1000] ["b", "c"]
        ARRAY_SUM [[1, 2.5]] 3.5
        ARRAY_SUM [[]] 0
        ARRAY_SUM [[1, "2"]] undefined
        ARRAY_SUM [[1e308, 1e308]] undefined
        ARRAY_AVG [[1e308, 1e308]] undefined
        ARRAY_MEDIAN [[1e308, 1e308]] undefined
        ARRAY_AVG [[1, 2, 3, 4]] 2.5
        ARRAY_AVG [[]] undefined
        ARRAY_MEDIAN [[1, 2, 3, 4]] 2.5
        ARRAY_MEDIAN [[7.8, 1.0, 3.3, 2.0, 4.7]] 3.3
        ARRAY_MEDIAN [["abc"]] undefined
        ARRAY_MIN [[3, 1, 2]] 1
        ARRAY_MAX [[3, "a", true, null]] "a"
        ARRAY_MAX [[]] undefined
        ARRAY_MAX [[1, []]] undefined
        SETUNION [[1, 2, 3, 4, 4], [3, 4, 5, 6]] [1, 2, 3, 4, 5, 6]
        SETINTERSECT [[1, 2, 2, 3], [3, 2, 3]] [3, 2]
        SETINTERSECT [[1, 2, "A", "B"], ["A", 1]] ["A", 1]
        SETINTERSECT [[1], [2]] []
        SETDIFFERENCE [[1, 2, 2, 3], [2]] [1, 3]
        SETEQUAL [[1, 2, 2], [2, 1]] true
        SETEQUAL [[1], [1, 2]] false
        OBJECTTOARRAY [{"a": 1, "b": "x"}] [{"k": "a", "v": 1}, {"k": "b", "v": "x"}]
        OBJECTTOARRAY [{"a": 1}, "name"] [{"name": "a", "v": 1}]
        OBJECTTOARRAY [{"a": 1}, "key", "value"] [{"key": "a", "value": 1}]
        OBJECTTOARRAY [[1]] undefined
        """);
  }

  @Test
  void chooseAndIifFunctions() {
    holds(
        """
        CHOOSE [1, "Vimero", "Hydration"] "Vimero"
        CHOOSE [0, "a"] undefined
        CHOOSE [2, "a"] undefined
        CHOOSE [2, undefined, "b"] "b"
        CHOOSE ["1", "a"] undefined
        IIF [true, 1, 2] 1
        IIF [false, 1, 2] 2
        IIF [undefined, 1, 2] 2
        IIF ["true", 1, 2] 2
        IIF [true, undefined, 2] undefined
        DOCUMENTID [{"_rid": "MLdaAJUwDwABAAAAAAAAAA=="}] 1
        DOCUMENTID [{"_rid": "MLdaAA=="}] undefined
        DOCUMENTID [{"id": "1"}] undefined
        """);
  }

  @Test
  void dateArithmeticFunctions() {
    holds(
        """
        DATETIMEADD ["yyyy", 1, "2020-07-03T00:00:00.0000000"] "2021-07-03T00:00:00.0000000Z"
        DATETIMEADD ["mm", 1, "2020-01-31T00:00:00Z"] "2020-02-29T00:00:00.0000000Z"
        DATETIMEADD ["hh", -1, "2020-07-03"] "2020-07-02T23:00:00.0000000Z"
        DATETIMEADD ["ss", -25, "2020-07-03"] "2020-07-02T23:59:35.0000000Z"
        DATETIMEADD ["mcs", 1, "2020-07-03"] "2020-07-03T00:00:00.0000010Z"
        DATETIMEADD ["ns", 250, "2020-07-03"] "2020-07-03T00:00:00.0000002Z"
        DATETIMEADD ["hh", 1.5, "2020-07-03"] undefined
        DATETIMEADD ["week", 1, "2020-07-03"] undefined
        DATETIMEADD ["dd", 1, "03/07/2020"] undefined
        DATETIMEADD ["yyyy", 9000, "2020-07-03"] undefined
        DATETIMEADD ["dd", 9223372036854775807, "2020-07-03"] undefined
        DATETIMEDIFF ["yyyy", "2018-12-31", "2019-01-01"] 1
        DATETIMEDIFF ["mm", "2018-03-05T05:00:00", "2019-02-04T16:00:00"] 11
        DATETIMEDIFF ["dd", "2018-03-05T05:00:00", "2019-02-04T16:00:00"] 336
        DATETIMEDIFF ["hh", "2018-03-05T05:59:59", "2018-03-05T06:00:00"] 1
        DATETIMEDIFF ["hh", "2018-03-05T06:00:00", "2018-03-05T05:59:59"] -1
        DATETIMEDIFF ["ms", "1969-12-31T23:59:59.999", "1970-01-01"] 1
        DATETIMEDIFF ["ns", "2018-03-05T00:00:00", "2018-03-05T00:00:00.0000001"] 100
        DATETIMEDIFF ["dd", "2018-03-05", 5] undefined
        DATETIMEPART ["yyyy", "2016-05-29T08:30:00.1301617"] 2016
        DATETIMEPART ["mi", "2016-05-29T08:30:00.1301617"] 30
        DATETIMEPART ["ms", "2016-05-29T08:30:00.1301617"] 130
        DATETIMEPART ["mcs", "2016-05-29T08:30:00.1301617"] 130161
        DATETIMEPART ["ns", "2016-05-29T08:30:00.1301617"] 130161700
        DATETIMEPART ["dw", "2016-05-29"] undefined
        YEAR ["2016-05-29"] 2016
        MONTH ["2016-05-29"] 5
        DAY ["2016-05-29"] 29
        DAY ["x"] undefined
        DATETIMEBIN ["2021-01-08T18:35:00.0000000", "dd"] "2021-01-08T00:00:00.0000000Z"
        DATETIMEBIN ["2021-01-08T18:35:00.0000000", "hh", 5] "2021-01-08T15:00:00.0000000Z"
        DATETIMEBIN ["2021-01-08T18:35:00.0000000", "dd", 7] "2021-01-07T00:00:00.0000000Z"
        DATETIMEBIN ["2021-01-08T18:35:00", "dd", 7, "1601-01-01"] "2021-01-04T00:00:00.0000000Z"
        DATETIMEBIN ["2021-01-08", "dd", 7, "1600-12-31"] undefined
        DATETIMEBIN ["2021-01-08", "dd", 0] undefined
        DATETIMEBIN ["2021-01-08", "dd", 9223372036854775807] undefined
        """);
  }

  @Test
  void dateConstructionAndFormatFunctions() {
    holds(
        """
        DATETIMEFROMPARTS [2017, 4, 20] "2017-04-20T00:00:00.0000000Z"
        DATETIMEFROMPARTS [2017, 4, 20, 13, 15, 20, 3456789] "2017-04-20T13:15:20.3456789Z"
        DATETIMEFROMPARTS [2017, 2, 30] undefined
        DATETIMEFROMPARTS [-2000, 1, 1] undefined
        DATETIMETOTICKS ["2020-01-02T03:04:05.6789123Z"] 15779342456789123
        DATETIMETOTIMESTAMP ["2020-07-09T23:20:13.4575530"] 1594336813457
        DATETIMETOTIMESTAMP ["1969-12-31T23:59:59.9999"] -1
        TICKSTODATETIME [15973607943000000] "2020-08-13T23:19:54.3000000Z"
        TIMESTAMPTODATETIME [1597360794300] "2020-08-13T23:19:54.3000000Z"
        TIMESTAMPTODATETIME [-11644473600000] "1601-01-01T00:00:00.0000000Z"
        TIMESTAMPTODATETIME [9223372036854775807] undefined
        DATETIMEFORMAT ["2024-10-10 14:40:20", "yyyyMMdd"] "20241010"
        DATETIMEFORMAT ["2024-10-10 14:40:20", "yyyy-MM-dd [HH:mm:ss]"] "2024-10-10 [14:40:20]"
        DATETIMEFORMAT ["2024-10-10 14:40:20", "\\\\da\\\\y: HH:mm:ss.fff"] "day: 14:40:20.000"
        DATETIMEFORMAT ["2024-10-10 14:40:20", "ss.FFF"] "20."
        DATETIMEFORMAT ["2024-01-05 00:40:20", "d MMM yy h tt"] "5 Jan 24 12 AM"
        """);
  }

  @Test
  void theCurrentTimeIsThatOfTheQuery() {
    holds(
        """
        GETCURRENTDATETIME [] "2023-11-14T22:13:20.1230000Z"
        GETCURRENTDATETIMESTATIC [] "2023-11-14T22:13:20.1230000Z"
        GETCURRENTTIMESTAMP [] 1700000000123
        GETCURRENTTICKS [] 17000000001230000
        NOW [] "2023-11-14T22:13:20.1230000Z"
        AGO ["dd", 14] "2023-10-31T22:13:20.1230000Z"
        AGO ["dd", 1.5] undefined
        """);
    assertThat(function("GETCURRENTTICKS").deterministic()).isFalse();
  }

  @Test
  void spatialPredicates() {
    holds(
        """
        ST_ISVALID [{"type":"Point","coordinates":[-84.38,33.75]}] true
        ST_ISVALID [{"type":"Point","coordinates":[33.75,-184.38]}] false
        ST_ISVALID ["Point"] false
        ST_ISVALID [undefined] undefined
        ST_ISVALIDDETAILED [{"type":"Point","coordinates":[-84.38,33.75]}] {"valid":true}
        ST_AREA [{"type":"Point","coordinates":[1,2]}] 0
        ST_AREA [{"type":"Nothing"}] undefined
        ST_DISTANCE [{"type":"Point","coordinates":[1,2]},{"type":"Point","coordinates":[1,2]}] 0
        ST_DISTANCE [{"type":"Point","coordinates":[1,2]},{"type":"Point"}] undefined
        """);
    String square = "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}";
    String around = "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[0,2],[2,2],[2,0],[0,0]]]}";
    String point = "{\"type\":\"Point\",\"coordinates\":[1,1]}";
    String line = "{\"type\":\"LineString\",\"coordinates\":[[1,1],[5,5]]}";
    holds("ST_WITHIN [" + point + "," + square + "] true");
    holds("ST_WITHIN [" + point + "," + around + "] false");
    holds("ST_WITHIN [" + line + "," + square + "] false");
    holds("ST_INTERSECTS [" + line + "," + square + "] true");
    holds("ST_DISTANCE [" + point + "," + square + "] 0");
    assertThat(shown(call("ST_ISVALIDDETAILED", "[" + at(33, -184) + "]")))
        .contains("Latitude values must be between -90 and 90 degrees.");
  }

  /** The numbers are those of the service's documentation, but for the degrees of the equator. */
  @Test
  void distancesAndAreasAreThoseOfTheEllipsoid() {
    String store = at(-122.11758113953535, 47.66901087006131);
    assertThat(metres(at(-96.84368664765994, 46.81297794314663), store))
        .isCloseTo(1_907_438.4213, within(0.001));
    assertThat(metres(at(-122.12826822304672, 47.63980239335718), store))
        .isCloseTo(3345.269817, within(0.000_1));
    assertThat(metres(at(0, 0), at(0, 1))).isCloseTo(110_574.389, within(0.001));
    assertThat(metres(at(0, 0), at(1, 0))).isCloseTo(111_319.491, within(0.001));
    String ring = "{\"type\":\"Polygon\",\"coordinates\":[[";
    String field = ring + "[31.8,-5],[32,-5],[32,-4.7],[31.8,-4.7],[31.8,-5]]]}";
    String rest = ring + "[31.8,-5],[31.8,-4.7],[32,-4.7],[32,-5],[31.8,-5]]]}";
    double area = 735_970_283.0522614;
    assertThat(call("ST_AREA", "[" + field + "]").asDouble()).isCloseTo(area, within(10.0));
    assertThat(call("ST_AREA", "[" + rest + "]").asDouble())
        .isCloseTo(510_065_621_724_089.0 - area, within(20.0));
    String hollow =
        field.replace("]]]}", "]],[[31.85,-4.95],[31.85,-4.75],[31.95,-4.75],")
            + "[31.95,-4.95],[31.85,-4.95]]]}";
    assertThat(call("ST_AREA", "[" + hollow + "]").asDouble())
        .isCloseTo(area * 2 / 3, withinPercentage(0.01));
  }

  @Test
  void distancesToLinesAndAreasAreThoseToTheirNearestPoint() {
    String line = "{\"type\":\"LineString\",\"coordinates\":[[10,0],[10,80]]}";
    assertThat(metres(at(10, -1), line)).isCloseTo(110_574.389, within(0.001));
    String square = "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[2,0],[2,2],[0,2],[0,0]]]}";
    assertThat(metres(square, at(1, -1))).isCloseTo(110_574.389, within(0.001));
    assertThat(metres(square, at(1, 1))).isZero();
    assertThat(metres(square, line)).isLessThanOrEqualTo(metres(at(2, 2), at(10, 2)));
  }

  @Test
  void geometryContainersUsePlanarFunctions() {
    String square =
        "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[0,200],[200,200],[200,0],[0,0]]]}";
    String line = "{\"type\":\"LineString\",\"coordinates\":[[-50,100],[100,100]]}";
    assertThat(planar("ST_DISTANCE", at(0, 0), at(300, 400))).isEqualTo("500");
    assertThat(planar("ST_DISTANCE", at(300, 100), square)).isEqualTo("100");
    assertThat(planar("ST_DISTANCE", at(100, 100), square)).isEqualTo("0");
    assertThat(planar("ST_DISTANCE", at(-50, 200), line)).isEqualTo("100");
    assertThat(planar("ST_AREA", square)).isEqualTo("40000");
    assertThat(planar("ST_AREA", line)).isEqualTo("0");
    assertThat(planar("ST_WITHIN", at(100, 100), square)).isEqualTo("true");
    assertThat(planar("ST_WITHIN", at(200, 100), square)).isEqualTo("true");
    assertThat(planar("ST_WITHIN", line, square)).isEqualTo("false");
    assertThat(planar("ST_INTERSECTS", line, square)).isEqualTo("true");
    String inside = "{\"type\":\"LineString\",\"coordinates\":[[0,0],[200,200],[200,0],[0,200]]}";
    assertThat(planar("ST_WITHIN", inside, square)).isEqualTo("true");
    assertThat(planar("ST_WITHIN", line, line)).isEqualTo("true");
    assertThat(planar("ST_WITHIN", at(0, 100), line)).isEqualTo("true");
    assertThat(planar("ST_WITHIN", at(0, 101), line)).isEqualTo("false");
    String small = "{\"type\":\"Polygon\",\"coordinates\":[[[9,9],[20,9],[20,20],[9,20],[9,9]]]}";
    assertThat(planar("ST_WITHIN", small, square)).isEqualTo("true");
    assertThat(planar("ST_WITHIN", square, small)).isEqualTo("false");
    assertThat(planar("ST_INTERSECTS", square, small)).isEqualTo("true");
    assertThat(planar("ST_DISTANCE", square, small)).isEqualTo("0");
    assertThat(planar("ST_DISTANCE", small, line)).isEqualTo("80");
    String ring = small.replace("]]]}", "]],[[12,12],[18,12],[18,18],[12,18],[12,12]]]}");
    assertThat(planar("ST_INTERSECTS", at(15, 15), ring)).isEqualTo("false");
    assertThat(planar("ST_DISTANCE", at(15, 15), ring)).isEqualTo("3");
    assertThat(planar("ST_WITHIN", small, ring)).isEqualTo("false");
    assertThat(planar("ST_INTERSECTS", at(201, 1), square)).isEqualTo("false");
    assertThat(planar("ST_ISVALID", at(1000, 2000))).isEqualTo("true");
    assertThat(planar("ST_ISVALID", "{\"type\":\"Point\",\"coordinates\":[1]}")).isEqualTo("false");
    String bow = "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[2,2],[2,0],[0,2],[0,0]]]}";
    assertThat(planar("ST_ISVALIDDETAILED", bow)).contains("\"valid\":false", "Self-intersection");
    assertThat(planar("ST_DISTANCE", bow, square)).isEqualTo("undefined");
    String both = "{\"type\":\"GeometryCollection\",\"geometries\":[" + line + "," + square + "]}";
    assertThat(planar("ST_WITHIN", line, both)).isEqualTo("true");
    String empty = "{\"type\":\"GeometryCollection\",\"geometries\":[]}";
    assertThat(planar("ST_ISVALID", empty)).isEqualTo("false");
    assertThat(planar("ABS", "-1")).isEqualTo("1");
  }

  private static String planar(String name, String... arguments) {
    Function function = Functions.find(name, Geospatial.GEOMETRY).orElseThrow();
    return shown(function.call(parse("[" + String.join(",", arguments) + "]"), Row.of(0, NOW)));
  }

  private static double metres(String one, String other) {
    return call("ST_DISTANCE", "[" + one + "," + other + "]").asDouble();
  }

  private static String at(double longitude, double latitude) {
    return "{\"type\":\"Point\",\"coordinates\":[" + longitude + "," + latitude + "]}";
  }

  @Test
  void aFunctionIsFoundByItsNameInUpperCase() {
    assertThat(Functions.find("ABS")).isPresent();
    assertThat(Functions.find("abs")).isEmpty();
    assertThat(Functions.find("NO_SUCH")).isEmpty();
  }

  @Test
  void functionsReportTheirArgumentCounts() {
    assertThat(function("CONTAINS"))
        .returns(2, Function::minArguments)
        .returns(3, Function::maxArguments);
    assertThat(function("CONCAT"))
        .returns(2, Function::minArguments)
        .returns(Integer.MAX_VALUE, Function::maxArguments);
    assertThat(function("DATETIMEFROMPARTS"))
        .returns(3, Function::minArguments)
        .returns(7, Function::maxArguments);
    assertThat(function("PI"))
        .returns(0, Function::minArguments)
        .returns(0, Function::maxArguments);
  }

  private static void holds(String table) {
    for (String line : table.lines().toList()) {
      int name = line.indexOf(' ');
      Value[] parts = parse("[" + arguments(line, name) + "]");
      Value[] arguments = elements(parts[0]);
      Value expected = parts[1];
      Value actual = function(line.substring(0, name)).call(arguments, Row.of(0, NOW));
      assertThat(shown(actual)).as(line).isEqualTo(shown(expected));
    }
  }

  /** The arguments and the result, with a comma where the first array of the line ends. */
  private static String arguments(String line, int start) {
    int depth = 0;
    boolean quoted = false;
    for (int i = start; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && c == '[') {
        depth++;
      } else if (!quoted && c == ']' && --depth == 0) {
        return line.substring(start, i + 1) + "," + line.substring(i + 1);
      }
    }
    throw new AssertionError("not a line of a table: " + line);
  }

  private static Value call(String name, String arguments) {
    return function(name).call(parse(arguments), Row.of(0, NOW));
  }

  private static Function function(String name) {
    return Functions.find(name).orElseThrow(() -> new AssertionError("no function " + name));
  }

  private static Value[] parse(String array) {
    String text = array.replaceAll("(?<=[\\[, ])undefined\\b", UNDEFINED.replace("$", "\\$"));
    return elements(ExtendedJson.parseValue(text, Limits.COSMOS));
  }

  private static Value[] elements(Value array) {
    List<Value> elements = new ArrayList<>();
    var each = array.asDocument().fields();
    while (each.next()) {
      elements.add(each.type() == Type.UNDEFINED ? Value.MISSING : each.value());
    }
    return elements.toArray(Value[]::new);
  }

  private static String shown(Value value) {
    return value.isMissing() ? "undefined" : Json.write(value);
  }
}
