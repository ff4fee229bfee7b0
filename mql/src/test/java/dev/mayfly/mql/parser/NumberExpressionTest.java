package dev.mayfly.mql.parser;

import org.junit.jupiter.api.Test;

final class NumberExpressionTest {
  @Test
  void sumsTakeTheWidestTypeAndOverflowIntoTheNext() {
    ExpressionTable.check(
        """
        with {'n': null, 's': 'x', 'd': {'$date': '2024-01-01T00:00:00Z'}}
        {'$add': [1, 2]} => 3
        {'$add': []} => 0
        {'$add': 5} => 5
        {'$add': [1, {'$numberLong': '2'}]} => {'$numberLong': '3'}
        {'$add': [1, 2.5]} => 3.5
        {'$add': [2147483647, 1]} => {'$numberLong': '2147483648'}
        {'$add': [2147483647, 1, -1]} => 2147483647
        {'$add': [{'$numberLong': '9223372036854775807'}, 1]} => 9.223372036854775807E18
        {'$add': [{'$numberDecimal': '0.1'}, {'$numberDecimal': '0.2'}]} \
            => {'$numberDecimal': '0.3'}
        {'$add': [1, '$n']} => null
        {'$add': [1, '$gone']} => null
        {'$add': ['$n', '$s']} => null
        {'$add': ['$s', '$n']} => !14
        {'$add': ['$d', 1000]} => {'$date': '2024-01-01T00:00:01Z'}
        {'$add': [500.6, '$d']} => {'$date': '2024-01-01T00:00:00.501Z'}
        {'$add': ['$d', '$d']} => !16612
        {'$add': ['$d', {'$numberLong': '9223372036854775807'}]} => !15
        """);
  }

  @Test
  void differencesKnowDates() {
    ExpressionTable.check(
        """
        with {'d': {'$date': '2024-01-01T00:00:10Z'}, 'e': {'$date': '2024-01-01T00:00:00Z'}}
        {'$subtract': [1, 2]} => -1
        {'$subtract': [-2147483648, 1]} => {'$numberLong': '-2147483649'}
        {'$subtract': [{'$numberLong': '-9223372036854775808'}, 1]} => -9.223372036854775807E18
        {'$subtract': [1, 0.5]} => 0.5
        {'$subtract': ['$d', '$e']} => {'$numberLong': '10000'}
        {'$subtract': ['$d', 10000]} => {'$date': '2024-01-01T00:00:00Z'}
        {'$subtract': [1, '$d']} => !14
        {'$subtract': ['$d', 'x']} => !14
        {'$subtract': ['x', null]} => null
        {'$subtract': [1]} => !16020
        """);
  }

  @Test
  void productsAndQuotientsPromoteTypes() {
    ExpressionTable.check(
        """
        {'$multiply': [3, 4]} => 12
        {'$multiply': [100000, 100000]} => {'$numberLong': '10000000000'}
        {'$multiply': [{'$numberLong': '9223372036854775807'}, 2]} => 1.8446744073709551616E19
        {'$multiply': [2, 0.5]} => 1.0
        {'$multiply': [2, {'$numberDecimal': '1.5'}]} => {'$numberDecimal': '3.0'}
        {'$multiply': [2, null]} => null
        {'$multiply': [2, 'x']} => !14
        {'$divide': [6, 3]} => 2.0
        {'$multiply': [-1, {'$numberDecimal': '0.0'}]} => {'$numberDecimal': '-0.0'}
        {'$multiply': [-1, {'$numberDecimal': '-0'}]} => {'$numberDecimal': '0'}
        {'$multiply': [{'$numberDecimal': '-1E+6000'}, {'$numberDecimal': '0'}]} \
            => {'$numberDecimal': '-0E+6000'}
        {'$divide': [{'$numberDecimal': '-0'}, 2]} => {'$numberDecimal': '-0'}
        {'$subtract': [{'$numberDecimal': '-0'}, 0]} => {'$numberDecimal': '-0'}
        {'$subtract': [{'$numberDecimal': '2'}, 2]} => {'$numberDecimal': '0'}
        {'$mod': [{'$numberDecimal': '-4'}, 2]} => {'$numberDecimal': '-0'}
        {'$trunc': {'$numberDecimal': '-0'}} => {'$numberDecimal': '-0'}
        {'$toDecimal': {'$numberDouble': '-0.0'}} => {'$numberDecimal': '-0'}
        {'$toString': {'$numberDecimal': '-0'}} => '-0'
        {'$add': [{'$numberDecimal': '-0'}, {'$numberDecimal': '-0'}]} \
            => {'$numberDecimal': '0'}
        {'$divide': [1, {'$numberDecimal': '3'}]} \
            => {'$numberDecimal': '0.3333333333333333333333333333333333'}
        {'$divide': [1, 0]} => !2
        {'$divide': ['a', 1]} => !14
        {'$divide': [null, 0]} => null
        {'$mod': [7, 4]} => 3
        {'$mod': [-7, 4]} => -3
        {'$mod': [7.5, 2]} => 1.5
        {'$mod': [7, {'$numberLong': '4'}]} => {'$numberLong': '3'}
        {'$mod': [{'$numberDecimal': '7.5'}, 2]} => {'$numberDecimal': '1.5'}
        {'$mod': [7, 0]} => !16610
        {'$mod': ['x', 2]} => !16611
        """);
  }

  @Test
  void roundingGoesToTheEvenNeighbour() {
    ExpressionTable.check(
        """
        {'$round': 2.5} => 2.0
        {'$round': [3.5, 0]} => 4.0
        {'$round': [19.25, 1]} => 19.2
        {'$round': [28.73, -1]} => 30.0
        {'$round': [1234, -2]} => 1200
        {'$round': [1250, -2]} => 1200
        {'$round': [2147483647, -1]} => {'$numberLong': '2147483650'}
        {'$round': [{'$numberDecimal': '2.345'}, 2]} => {'$numberDecimal': '2.34'}
        {'$round': [1.5, 101]} => !51083
        {'$round': [1.5, 0.5]} => !51082
        {'$round': ['x']} => !51081
        {'$round': [null, 1]} => null
        {'$trunc': [7.85, 1]} => 7.8
        {'$trunc': -2.7} => -2.0
        {'$trunc': [1234, -2]} => 1200
        {'$ceil': 7.2} => 8.0
        {'$ceil': {'$numberDecimal': '-2.8'}} => {'$numberDecimal': '-2'}
        {'$floor': -7.2} => -8.0
        {'$floor': 7} => 7
        {'$abs': -5} => 5
        {'$abs': -2147483648} => {'$numberLong': '2147483648'}
        {'$abs': {'$numberLong': '-9223372036854775808'}} => !28680
        {'$abs': 'x'} => !28765
        {'$abs': null} => null
        """);
  }

  @Test
  void powersStayWholeWhileTheyCan() {
    ExpressionTable.check(
        """
        {'$pow': [5, 2]} => 25
        {'$pow': [2, 40]} => {'$numberLong': '1099511627776'}
        {'$pow': [2, 64]} => 1.8446744073709551616E19
        {'$pow': [-2, 63]} => {'$numberLong': '-9223372036854775808'}
        {'$pow': [2, -1]} => 0.5
        {'$pow': [-1, -3]} => -1
        {'$pow': [0, 0]} => 1
        {'$pow': [0, -1]} => !28764
        {'$pow': [2.0, 3]} => 8.0
        {'$pow': [{'$numberDecimal': '2'}, 10]} => {'$numberDecimal': '1024'}
        {'$pow': ['x', 1]} => !28762
        {'$sqrt': 25} => 5.0
        {'$sqrt': -1} => !28714
        {'$sqrt': {'$numberDecimal': '2'}} \
            => {'$numberDecimal': '1.414213562373095048801688724209698'}
        {'$exp': 0} => 1.0
        {'$exp': {'$numberDecimal': '1'}} \
            => {'$numberDecimal': '2.718281828459045235360287471352662'}
        {'$ln': 1} => 0.0
        {'$ln': {'$numberDecimal': '10'}} \
            => {'$numberDecimal': '2.302585092994045684017991454684364'}
        {'$ln': 0} => !28766
        {'$log10': 1000} => 3.0
        {'$log10': -1} => !28761
        {'$log': [8, 2]} => 3.0
        {'$log': [8, 1]} => !28759
        {'$log': [0, 2]} => !28758
        {'$log': ['x', 2]} => !28756
        """);
  }

  @Test
  void anglesAndBits() {
    ExpressionTable.check(
        """
        {'$sin': 0} => 0.0
        {'$cos': 0} => 1.0
        {'$atan2': [0, 1]} => 0.0
        {'$asin': 2} => !50989
        {'$degreesToRadians': 180} => 3.141592653589793
        {'$radiansToDegrees': 3.141592653589793} => 180.0
        {'$cos': {'$numberDouble': 'Infinity'}} => !50989
        {'$sin': null} => null
        {'$bitAnd': [12, 10]} => 8
        {'$bitAnd': [12, null, 'a']} => null
        {'$bitAnd': [12, 'a', null]} => !14
        {'$bitNot': 1.5} => !14
        {'$bitNot': 'a'} => !28765
        {'$bitOr': [12, {'$numberLong': '3'}]} => {'$numberLong': '15'}
        {'$bitXor': [12, 10]} => 6
        {'$bitNot': 5} => -6
        {'$bitAnd': [1, null]} => null
        {'$bitAnd': [1, 1.5]} => !14
        """);
  }

  @Test
  void decimalsAreRoundedToAsManyPlacesAsAsked() {
    ExpressionTable.check(
        """
        {'$round': [{'$numberDecimal': '1.2'}, 3]} => {'$numberDecimal': '1.200'}
        {'$round': [{'$numberDecimal': '23.298'}, -1]} => {'$numberDecimal': '2E+1'}
        {'$trunc': [{'$numberDecimal': '1.298'}, 100]} \
            => {'$numberDecimal': '1.298000000000000000000000000000000'}
        {'$floor': {'$numberDecimal': '1E+3'}} => {'$numberDecimal': '1000'}
        {'$ceil': {'$numberDecimal': '-0.5'}} => {'$numberDecimal': '-0'}
        {'$round': [1.5, 'x']} => !16004 can't convert from BSON type string to long
        {'$round': [1.5, {'$numberDouble': 'NaN'}]} \
            => !31109 Can't coerce out of range value nan to long
        {'$round': [1.5, 1.5]} => !51082
        """);
  }

  @Test
  void anglesOfDecimalsKeepTheirDigits() {
    ExpressionTable.check(
        """
        {'$degreesToRadians': {'$numberDecimal': '180'}} \
            => {'$numberDecimal': '3.141592653589793238462643383279503'}
        {'$radiansToDegrees': {'$numberDecimal': '0'}} => {'$numberDecimal': '0E-32'}
        {'$degreesToRadians': 180} => 3.141592653589793
        {'$asin': 2} => !50989 cannot apply $asin to 2, value must be in [-1,1]
        {'$acosh': 0.5} => !50989 cannot apply $acosh to 0.5, value must be in [1,inf]
        {'$cos': {'$numberDouble': 'Infinity'}} \
            => !50989 cannot apply $cos to inf, value must be in (-inf,inf)
        """);
  }
}
