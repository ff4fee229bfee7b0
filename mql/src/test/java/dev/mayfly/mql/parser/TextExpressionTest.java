package dev.mayfly.mql.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import org.junit.jupiter.api.Test;

final class TextExpressionTest {
  @Test
  void textsAreJoinedCutAndChanged() {
    ExpressionTable.check(
        """
        with {'s': 'abc', 'n': null, 'd': {'$date': '2024-01-02T03:04:05.678Z'}}
        {'$concat': ['$s', '-', 'd']} => 'abc-d'
        {'$concat': ['$s', '$gone']} => null
        {'$concat': ['$s', 1]} => !16702
        {'$concat': []} => ''
        {'$toUpper': 'aéz'} => 'AéZ'
        {'$toLower': 'ÄBC'} => 'Äbc'
        {'$toUpper': '$gone'} => ''
        {'$toLower': 5} => '5'
        {'$toLower': [[1]]} => !16007
        {'$toLower': {'$timestamp': {'t': 1577934245, 'i': 12}}} => 'jan  2 03:04:05:12'
        {'$toUpper': {'$timestamp': {'t': 4294967295, 'i': 4294967295}}} => \
        'FEB  7 06:28:15:4294967295'
        {'$toUpper': {'$symbol': 'a'}} => 'A'
        {'$toUpper': {'$code': 'a'}} => 'A'
        {'$toUpper': true} => !16007
        {'$strcasecmp': ['Abc', 'aBD']} => -1
        {'$strcasecmp': ['a', 'A']} => 0
        {'$strLenCP': 'é😀'} => 2
        {'$strLenBytes': 'é😀'} => 6
        {'$strLenCP': '$gone'} => !34471
        {'$strLenBytes': 1} => !34473
        {'$substrCP': ['é😀x', 1, 1]} => '😀'
        {'$substrCP': ['abc', 5, 1]} => ''
        {'$substrCP': ['abc', 1, 99]} => 'bc'
        {'$substrCP': ['abc', -1, 1]} => !34455
        {'$substrCP': ['abc', 0, -1]} => !34454
        {'$substrCP': ['abc', 'x', 1]} => !34450
        {'$substrCP': ['abc', 0.5, 1]} => !34451
        {'$substrBytes': ['abc', 1, 1]} => 'b'
        {'$substrBytes': ['abc', 1, -1]} => 'bc'
        {'$substr': ['abc', 9, 1]} => ''
        {'$substrBytes': ['é', 1, 1]} => !28656
        {'$substrBytes': ['é', 0, 1]} => !28657
        {'$substrBytes': ['abc', -1, 1]} => !50752
        {'$substrBytes': ['abc', 'x', 1]} => !16034
        {'$substrBytes': ['$d', 0, 10]} => '2024-01-02'
        {'$substrBytes': ['$n', 0, 10]} => ''
        """);
  }

  @Test
  void textsAreSearchedSplitAndReplaced() {
    ExpressionTable.check(
        """
        {'$indexOfCP': ['é😀x', 'x']} => 2
        {'$indexOfBytes': ['é😀x', 'x']} => 6
        {'$indexOfCP': ['cafeteria', 'e', 4]} => 5
        {'$indexOfCP': ['cafeteria', 'e', 0, 3]} => -1
        {'$indexOfCP': ['abc', 'a', 5]} => -1
        {'$indexOfCP': ['abc', 'a', -1]} => !40097
        {'$indexOfCP': ['abc', 'a', 'x']} => !40096
        {'$indexOfCP': [null, 'a']} => null
        {'$indexOfCP': [1, 'a']} => !40093
        {'$indexOfBytes': ['abc', 1]} => !40092
        {'$indexOfBytes': ['', '']} => 0
        {'$split': ['June-15-2013', '-']} => ['June', '15', '2013']
        {'$split': ['-a-', '-']} => ['', 'a', '']
        {'$split': ['abc', '-']} => ['abc']
        {'$split': [null, '-']} => null
        {'$split': ['abc', '']} => !40087
        {'$split': [1, '-']} => !40085
        {'$replaceOne': {'input': 'aXbX', 'find': 'X', 'replacement': '-'}} => 'a-bX'
        {'$replaceAll': {'input': 'aXbX', 'find': 'X', 'replacement': '-'}} => 'a-b-'
        {'$replaceAll': {'input': 'abc', 'find': '', 'replacement': '-'}} => '-a-b-c-'
        {'$replaceOne': {'input': null, 'find': 'X', 'replacement': '-'}} => null
        {'$replaceOne': {'input': 1, 'find': 'X', 'replacement': '-'}} => !51746
        {'$trim': {'input': '  a b\\u00a0 '}} => 'a b'
        {'$ltrim': {'input': 'xxabc', 'chars': 'x'}} => 'abc'
        {'$rtrim': {'input': 'abcxyx', 'chars': 'yx'}} => 'abc'
        {'$trim': {'input': null}} => null
        {'$trim': {'input': 1}} => !50699
        {'$trim': {'input': 'a', 'chars': 1}} => !50700
        {'$trim': {'input': 'a', 'x': 1}} => !50694
        {'$trim': 'a'} => !50696
        """);
  }

  @Test
  void regularExpressions() {
    ExpressionTable.check(
        """
        with {'s': 'Simple Example', 'r': 'ex'}
        {'$regexMatch': {'input': '$s', 'regex': 'Ex'}} => true
        {'$regexMatch': {'input': '$s', 'regex': '$r'}} => false
        {'$regexMatch': {'input': '$s', 'regex': '$r', 'options': 'i'}} => true
        {'$regexMatch': {'input': '$gone', 'regex': 'x'}} => false
        {'$regexFind': {'input': 'é-1-22', 'regex': '(\\\\d+)(x)?'}} \
            => {'match': '1', 'idx': 2, 'captures': ['1', null]}
        {'$regexFind': {'input': 'abc', 'regex': 'x'}} => null
        {'$regexFindAll': {'input': 'a1b2', 'regex': '\\\\d'}} \
            => [{'match': '1', 'idx': 1, 'captures': []}, {'match': '2', 'idx': 3, 'captures': []}]
        {'$regexFindAll': {'input': 'ab', 'regex': 'x'}} => []
        {'$regexFindAll': {'input': null, 'regex': 'x'}} => []
        {'$regexFindAll': {'input': '\uD83D\uDE00x', 'regex': ''}} \
            => [{'match': '', 'idx': 0, 'captures': []}, {'match': '', 'idx': 1, 'captures': []}]
        {'$regexFind': {'input': 1, 'regex': '$gone'}} => !51104
        {'$regexMatch': {'input': 1, 'regex': 'x'}} => !51104
        {'$regexMatch': {'input': 'a', 'regex': 1}} => !51105
        {'$regexMatch': {'input': 'a', 'regex': 'x', 'options': 'q'}} => !51108
        {'$regexMatch': {'input': 'a', 'regex': '('}} => !51111
        {'$regexMatch': {'input': 'a', 'regex': {'$regularExpression': \
            {'pattern': 'A', 'options': 'i'}}}} => true
        {'$regexMatch': {'input': 'a', 'regex': {'$regularExpression': \
            {'pattern': 'A', 'options': 'i'}}, 'options': 'm'}} => !51107
        {'$regexMatch': {'input': 'a'}} => !31023
        """);
  }

  @Test
  void aPatternThatExplodesIsGivenUp() {
    String text = "a".repeat(3_000);

    assertThatThrownBy(
            () ->
                ExpressionTable.evaluate(
                    "{'$regexMatch': {'input': '$s', 'regex': 'a*a*a*a*a*a*b'}}",
                    Document.writer().put("s", text).build()))
        .isInstanceOfSatisfying(
            QueryException.class,
            failure ->
                assertThat(failure.reason()).isEqualTo(QueryException.Reason.PATTERN_TOO_COSTLY));
  }

  @Test
  void aDoubleTakenForATextHasSixDigits() {
    ExpressionTable.check(
        """
        {'$toLower': 1099511627776.0} => '1.09951e+12'
        {'$toUpper': 2.5} => '2.5'
        {'$toUpper': 100000.0} => '100000'
        {'$toUpper': 1000000.0} => '1E+06'
        {'$substr': [0.000012345678, 0, -1]} => '1.23457e-05'
        {'$toLower': {'$numberDouble': '-Infinity'}} => '-inf'
        {'$toString': 1099511627776.0} => '1099511627776'
        """);
  }

  @Test
  void whatIsNoTextIsRefusedBeforeANullMakesTheReplacementNull() {
    ExpressionTable.check(
        """
        {'$replaceAll': {'input': null, 'find': 1, 'replacement': 'x'}} => !51745
        {'$replaceAll': {'input': 1, 'find': 'x', 'replacement': null}} => !51746
        {'$replaceOne': {'input': 'a', 'find': '$gone', 'replacement': 1}} => !51744
        {'$replaceOne': {'input': 'a', 'find': '$gone', 'replacement': 'x'}} => null
        {'$replaceAll': {'input': '\uD83D\uDE00a', 'find': '', 'replacement': '-'}} \
            => '-\uD83D\uDE00-a-'
        """);
  }

  @Test
  void anEmptyMatchIsFoundBeforeEachCharacterAndNotBehindTheLast() {
    ExpressionTable.check(
        """
        {'$regexFindAll': {'input': 'ab', 'regex': ''}} \
            => [{'match': '', 'idx': 0, 'captures': []}, {'match': '', 'idx': 1, 'captures': []}]
        {'$regexFindAll': {'input': '', 'regex': ''}} \
            => [{'match': '', 'idx': 0, 'captures': []}]
        """);
  }

  @Test
  void eachOperatorTellsInItsOwnWordsWhatIsWrongWithItsArguments() {
    ExpressionTable.check(
        """
        {'$trim': 'a'} => !50696 $trim only supports an object as an argument, found string
        {'$trim': {'chars': 'a'}} => !50695 $trim requires an 'input' field
        {'$trim': {'input': 'a', 'x': 1}} => !50694 $trim found an unknown argument: x
        {'$replaceOne': 1} => !51751 $replaceOne requires an object as an argument, found: int
        {'$replaceOne': {'input': 'a', 'find': 'a'}} \
            => !51747 $replaceOne requires 'replacement' to be specified
        {'$regexMatch': 1} => !51103 $regexMatch expects an object of named arguments but found: int
        {'$regexMatch': {'input': 'a'}} => !31023 $regexMatch requires 'regex' parameter
        {'$map': {'input': [], 'in': 1, 'x': 1}} => !16879 Unrecognized parameter to $map: x
        {'$map': {'in': 1}} => !16880 Missing 'input' parameter to $map
        {'$reduce': 1} => !40075 $reduce requires an object as an argument, found: int
        {'$switch': 1} => !40060 $switch requires an object as an argument, found: int
        {'$year': {'timezone': 'UTC'}} \
            => !40539 missing 'date' argument to $year, provided: $year: { timezone: "UTC" }
        {'$year': {'date': null, 'x': 1}} => !40535 unrecognized option to $year: "x"
        {'$dateAdd': {'unit': 'day'}} \
            => !5166402 $dateAdd requires startDate, unit, and amount to be present
        {'$firstN': {'input': []}} => !5787906 Missing value for 'n'
        {'$convert': 1} => !9 $convert expects an object of named arguments but found: int
        {'$toInt': [1, 2]} => !50723 $toInt requires a single argument, got 2
        """);
  }
}
