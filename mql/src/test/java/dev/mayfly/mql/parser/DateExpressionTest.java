package dev.mayfly.mql.parser;

import org.junit.jupiter.api.Test;

final class DateExpressionTest {
  private static final String DATE = "with {'d': {'$date': '2017-01-08T23:30:15.009Z'}}\n";

  @Test
  void partsOfDatesDependOnTheZone() {
    ExpressionTable.check(
        DATE
            + """
            {'$year': '$d'} => 2017
            {'$month': '$d'} => 1
            {'$dayOfMonth': '$d'} => 8
            {'$hour': '$d'} => 23
            {'$minute': '$d'} => 30
            {'$second': '$d'} => 15
            {'$millisecond': '$d'} => 9
            {'$dayOfYear': '$d'} => 8
            {'$dayOfWeek': '$d'} => 1
            {'$week': '$d'} => 2
            {'$isoWeek': '$d'} => 1
            {'$isoWeekYear': '$d'} => {'$numberLong': '2017'}
            {'$isoDayOfWeek': '$d'} => 7
            {'$dayOfMonth': {'date': '$d', 'timezone': '+0100'}} => 9
            {'$hour': {'date': '$d', 'timezone': 'America/New_York'}} => 18
            {'$hour': {'date': '$d', 'timezone': '-05:30'}} => 18
            {'$hour': {'date': '$d', 'timezone': null}} => null
            {'$hour': {'date': '$d', 'timezone': 'Nowhere/City'}} => !40485
            {'$hour': {'date': '$d', 'timezone': 5}} => !40533
            {'$hour': {'date': '$d', 'zone': 'UTC'}} => !40535
            {'$year': ['$d']} => 2017
            {'$year': {'$oid': '5ab9c3da31c2ab715d421285'}} => 2018
            {'$year': {'$timestamp': {'t': 0, 'i': 1}}} => 1970
            {'$year': '$gone'} => null
            {'$year': 'x'} => !16006
            {'$dateToParts': {'date': '$d'}} => {'year': 2017, 'month': 1, 'day': 8, \
                'hour': 23, 'minute': 30, 'second': 15, 'millisecond': 9}
            {'$dateToParts': {'date': '$d', 'iso8601': true}} => {'isoWeekYear': 2017, \
                'isoWeek': 1, 'isoDayOfWeek': 7, 'hour': 23, 'minute': 30, 'second': 15, \
                'millisecond': 9}
            {'$dateToParts': {'date': '$d', 'iso8601': 1}} => !40521
            """);
  }

  @Test
  void datesAreMadeOfPartsThatCarryOver() {
    ExpressionTable.check(
        """
        {'$dateFromParts': {'year': 2017, 'month': 2, 'day': 8, 'hour': 12}} \
            => {'$date': '2017-02-08T12:00:00Z'}
        {'$dateFromParts': {'year': 2017, 'month': 14, 'day': 0}} \
            => {'$date': '2018-01-31T00:00:00Z'}
        {'$dateFromParts': {'year': 2017, 'hour': 23, 'timezone': 'America/New_York'}} \
            => {'$date': '2017-01-02T04:00:00Z'}
        {'$dateFromParts': {'isoWeekYear': 2017, 'isoWeek': 6, 'isoDayOfWeek': 3}} \
            => {'$date': '2017-02-08T00:00:00Z'}
        {'$dateFromParts': {'year': 2017, 'second': -1}} => {'$date': '2016-12-31T23:59:59Z'}
        {'$dateFromParts': {'year': 0}} => !40523
        {'$dateFromParts': {'year': 2017, 'day': 40000}} => !31034
        {'$dateFromParts': {'year': 2017.5}} => !40515
        {'$dateFromParts': {'year': null}} => null
        {'$dateFromParts': {'month': 1}} => !40516
        {'$dateFromParts': {'year': 2017, 'second': {'$numberLong': '9223372036854775'}}} => !159
        {'$dateFromParts': {'year': 2017, 'isoWeek': 1}} => !40489
        {'$dateFromParts': {'isoWeekYear': 2017, 'month': 1}} => !40525
        {'$year': [{'$date': '2024-01-01T00:00:00Z'}, 1]} => !40536
        """);
  }

  @Test
  void datesAreWritten() {
    ExpressionTable.check(
        DATE
            + """
            {'$dateToString': {'date': '$d'}} => '2017-01-08T23:30:15.009Z'
            {'$dateToString': {'date': '$d', 'timezone': '+0100'}} => '2017-01-09T00:30:15.009'
            {'$dateToString': {'date': '$d', 'format': '%Y-%m-%d'}} => '2017-01-08'
            {'$dateToString': {'date': '$d', 'format': '%H:%M:%S.%L %j %w %u %U %V %G %%'}} \
                => '23:30:15.009 008 1 7 02 01 2017 %'
            {'$dateToString': {'date': '$d', 'format': '%b %B %z %Z', 'timezone': '-0530'}} \
                => 'Jan January -0530 -330'
            {'$dateToString': {'date': '$d', 'format': '%Z', 'timezone': '+0545'}} => '345'
            {'$dateToString': {'date': '$gone'}} => null
            {'$dateToString': {'date': null, 'onNull': 'none'}} => 'none'
            {'$dateToString': {'date': '$d', 'format': '%q'}} => !18536
            {'$dateToString': {'date': '$d', 'format': '%'}} => !18535
            {'$dateToString': {'date': '$d', 'format': 1}} => !18533
            {'$dateToString': {'date': 'x'}} => !16006
            {'$dateToString': {'format': '%Y'}} => !18628
            {'$dateToString': {'date': {'$date': {'$numberLong': '-99999999999999'}}}} => !18537
            """);
  }

  @Test
  void datesAreRead() {
    ExpressionTable.check(
        """
        {'$dateFromString': {'dateString': '2017-02-08T12:10:40.787Z'}} \
            => {'$date': '2017-02-08T12:10:40.787Z'}
        {'$dateFromString': {'dateString': '2017-02-08 12:10'}} => {'$date': '2017-02-08T12:10:00Z'}
        {'$dateFromString': {'dateString': '2017-02-08T12:10:40+01:00'}} \
            => {'$date': '2017-02-08T11:10:40Z'}
        {'$dateFromString': {'dateString': '2017-02-08', 'timezone': 'America/New_York'}} \
            => {'$date': '2017-02-08T05:00:00Z'}
        {'$dateFromString': {'dateString': 'July 4, 2017'}} => {'$date': '2017-07-04T00:00:00Z'}
        {'$dateFromString': {'dateString': '7/4/17'}} => {'$date': '2017-07-04T00:00:00Z'}
        {'$dateFromString': {'dateString': '7/4/70 10:15'}} => {'$date': '1970-07-04T10:15:00Z'}
        {'$dateFromString': {'dateString': '2017-185'}} => {'$date': '2017-07-04T00:00:00Z'}
        {'$dateFromString': {'dateString': '2017185'}} => {'$date': '2017-07-04T00:00:00Z'}
        {'$dateFromString': {'dateString': '2017-366'}} => !241
        {'$dateFromString': {'dateString': '2017W274'}} => {'$date': '2017-07-06T00:00:00Z'}
        {'$dateFromString': {'dateString': '2017-W27'}} => {'$date': '2017-07-03T00:00:00Z'}
        {'$dateFromString': {'dateString': '@1400000000'}} => {'$date': '2014-05-13T16:53:20Z'}
        {'$dateFromString': {'dateString': '15-06-2018', 'format': '%d-%m-%Y'}} \
            => {'$date': '2018-06-15T00:00:00Z'}
        {'$dateFromString': {'dateString': '2018 24 5', 'format': '%G %V %u'}} \
            => {'$date': '2018-06-15T00:00:00Z'}
        {'$dateFromString': {'dateString': '03 Mar 2018', 'format': '%d %b %Y'}} \
            => {'$date': '2018-03-03T00:00:00Z'}
        {'$dateFromString': {'dateString': '2018-06-15 +0200', 'format': '%Y-%m-%d %z'}} \
            => {'$date': '2018-06-14T22:00:00Z'}
        {'$dateFromString': {'dateString': '2017-02-08T12:00:00Z', 'timezone': '+0100'}} => !241
        {'$dateFromString': {'dateString': '2017-13-08'}} => !241
        {'$dateFromString': {'dateString': 'nonsense'}} => !241
        {'$dateFromString': {'dateString': 'nonsense', 'onError': 'bad'}} => 'bad'
        {'$dateFromString': {'dateString': 5, 'onError': 'bad'}} => 'bad'
        {'$dateFromString': {'dateString': null}} => null
        {'$dateFromString': {'dateString': '$gone', 'onNull': 'none'}} => 'none'
        {'$dateFromString': {'dateString': '2017', 'format': '%Y'}} => !241
        {'$dateFromString': {'dateString': 'x', 'format': '%q'}} => !18536
        {'$dateFromString': {'dateString': 'x', 'format': 5}} => !40684
        {'$dateFromString': {}} => !40542
        """);
  }

  @Test
  void datesMoveByUnits() {
    ExpressionTable.check(
        """
        with {'d': {'$date': '2024-01-31T10:00:00.123Z'}, 'dst': {'$date': '2024-03-30T12:00:00Z'}}
        {'$dateAdd': {'startDate': '$d', 'unit': 'month', 'amount': 1}} \
            => {'$date': '2024-02-29T10:00:00.123Z'}
        {'$dateAdd': {'startDate': '$d', 'unit': 'quarter', 'amount': -1}} \
            => {'$date': '2023-10-31T10:00:00.123Z'}
        {'$dateSubtract': {'startDate': '$d', 'unit': 'week', 'amount': 1}} \
            => {'$date': '2024-01-24T10:00:00.123Z'}
        {'$dateAdd': {'startDate': '$dst', 'unit': 'day', 'amount': 1, \
            'timezone': 'Europe/Paris'}} \
            => {'$date': '2024-03-31T11:00:00Z'}
        {'$dateAdd': {'startDate': '$dst', 'unit': 'hour', 'amount': 24, \
            'timezone': 'Europe/Paris'}} \
            => {'$date': '2024-03-31T12:00:00Z'}
        {'$dateAdd': {'startDate': '$d', 'unit': 'day', 'amount': null}} => null
        {'$dateAdd': {'startDate': '$d', 'unit': 'day', 'amount': 1.5}} => !5166405
        {'$dateAdd': {'startDate': 'x', 'unit': 'day', 'amount': 1}} => !5166403
        {'$dateAdd': {'startDate': '$d', 'unit': 'eon', 'amount': 1}} => !9
        {'$dateAdd': {'startDate': '$d', 'unit': 5, 'amount': 1}} => !5166404
        {'$dateAdd': {'startDate': '$d', 'unit': 'year', 'amount': 99999999999999}} => !5166406
        {'$dateAdd': {'startDate': '$d', 'unit': 'day'}} => !5166402
        """);
  }

  @Test
  void distancesCountTheStartsOfUnits() {
    ExpressionTable.check(
        """
        with {'a': {'$date': '2021-01-30T23:59:59.999Z'}, 'b': {'$date': '2021-02-01T00:00:00Z'}}
        {'$dateDiff': {'startDate': '$a', 'endDate': '$b', 'unit': 'year'}} => {'$numberLong': '0'}
        {'$dateDiff': {'startDate': '$a', 'endDate': '$b', 'unit': 'month'}} => {'$numberLong': '1'}
        {'$dateDiff': {'startDate': '$a', 'endDate': '$b', 'unit': 'day'}} => {'$numberLong': '2'}
        {'$dateDiff': {'startDate': '$b', 'endDate': '$a', 'unit': 'day'}} => {'$numberLong': '-2'}
        {'$dateDiff': {'startDate': '$a', 'endDate': '$b', 'unit': 'week'}} => {'$numberLong': '1'}
        {'$dateDiff': {'startDate': '$a', 'endDate': '$b', 'unit': 'week', 'startOfWeek': 'tue'}} \
            => {'$numberLong': '0'}
        {'$dateDiff': {'startDate': '$a', 'endDate': '$b', 'unit': 'hour'}} => {'$numberLong': '25'}
        {'$dateDiff': {'startDate': '$a', 'endDate': '$b', 'unit': 'second'}} \
            => {'$numberLong': '86401'}
        {'$dateDiff': {'startDate': '$a', 'endDate': '$b', 'unit': 'millisecond'}} \
            => {'$numberLong': '86400001'}
        {'$dateDiff': {'startDate': null, 'endDate': '$b', 'unit': 'day'}} => null
        {'$dateDiff': {'startDate': 1, 'endDate': '$b', 'unit': 'day'}} => !5166307
        {'$dateDiff': {'startDate': '$a', 'endDate': '$b', 'unit': 'week', 'startOfWeek': 'x'}} \
            => !5439016
        """);
  }

  @Test
  void datesAreCutDownToUnits() {
    ExpressionTable.check(
        """
        with {'d': {'$date': '2021-03-20T11:30:05.123Z'}}
        {'$dateTrunc': {'date': '$d', 'unit': 'month'}} => {'$date': '2021-03-01T00:00:00Z'}
        {'$dateTrunc': {'date': '$d', 'unit': 'quarter'}} => {'$date': '2021-01-01T00:00:00Z'}
        {'$dateTrunc': {'date': '$d', 'unit': 'year', 'binSize': 4}} \
            => {'$date': '2020-01-01T00:00:00Z'}
        {'$dateTrunc': {'date': '$d', 'unit': 'week'}} => {'$date': '2021-03-14T00:00:00Z'}
        {'$dateTrunc': {'date': '$d', 'unit': 'week', 'startOfWeek': 'monday'}} \
            => {'$date': '2021-03-15T00:00:00Z'}
        {'$dateTrunc': {'date': '$d', 'unit': 'day', 'timezone': 'America/Los_Angeles'}} \
            => {'$date': '2021-03-20T07:00:00Z'}
        {'$dateTrunc': {'date': '$d', 'unit': 'hour', 'binSize': 2}} \
            => {'$date': '2021-03-20T10:00:00Z'}
        {'$dateTrunc': {'date': '$d', 'unit': 'second'}} => {'$date': '2021-03-20T11:30:05Z'}
        {'$dateTrunc': {'date': '$d', 'unit': 'day', 'binSize': 0}} => !5439018
        {'$dateTrunc': {'date': '$d', 'unit': 'day', 'binSize': 1.5}} => !5439017
        {'$dateTrunc': {'date': null, 'unit': 'day'}} => null
        {'$tsSecond': {'$timestamp': {'t': 100, 'i': 7}}} => {'$numberLong': '100'}
        {'$tsIncrement': {'$timestamp': {'t': 100, 'i': 7}}} => {'$numberLong': '7'}
        {'$tsSecond': 1} => !5687301
        """);
  }

  @Test
  void whatIsWrongWithADateArgumentHasItsOwnNumber() {
    ExpressionTable.check(
        DATE
            + """
            {'$dateAdd': {'startDate': '$d', 'unit': 1, 'amount': 1}} => !5166404
            {'$dateDiff': {'startDate': '$d', 'unit': 'day'}} => !5166304
            {'$dateDiff': {'startDate': '$d', 'endDate': '$d'}} => !5166305
            {'$dateTrunc': {'date': '$d'}} => !5439010
            {'$dateTrunc': {'date': 'x', 'unit': 'day'}} => !5439012
            """);
  }

  @Test
  void theStartOfWeeksCountsOnlyWhereWeeksDo() {
    ExpressionTable.check(
        DATE
            + """
            {'$dateTrunc': {'date': '$d', 'unit': 'day', 'startOfWeek': 'IGNORED'}} \
                => {'$date': '2017-01-08T00:00:00Z'}
            {'$dateTrunc': {'date': '$d', 'unit': 'year', 'startOfWeek': 1}} \
                => {'$date': '2017-01-01T00:00:00Z'}
            {'$dateTrunc': {'date': '$d', 'unit': 'week', 'startOfWeek': 'IGNORED'}} => !5439016
            """);
  }

  @Test
  void theFirstDayOfTheWeekCountsForWeeksAlone() {
    ExpressionTable.check(
        """
        with {'d': {'$date': '2020-12-06T17:32:43Z'}}
        {'$dateTrunc': {'date': '$d', 'unit': 'day', 'startOfWeek': null}} \
            => {'$date': '2020-12-06T00:00:00Z'}
        {'$dateTrunc': {'date': '$d', 'unit': 'week', 'startOfWeek': null}} => null
        {'$dateDiff': {'startDate': '$d', 'endDate': '$d', 'unit': 'hour', 'startOfWeek': null}} \
            => {'$numberLong': '0'}
        {'$dateTrunc': {'date': '$d', 'unit': null}} => null
        """);
  }

  @Test
  void textsNameZonesInMoreThanOneWay() {
    ExpressionTable.check(
        """
        {'$dateFromString': {'dateString': '2017-07-14T12:02:44 CEST'}} \
            => {'$date': '2017-07-14T10:02:44Z'}
        {'$dateFromString': {'dateString': '2017-07-14T12:02:44 EST'}} \
            => {'$date': '2017-07-14T17:02:44Z'}
        {'$dateFromString': {'dateString': '2017-07-14T12:02:44 GMT+02:00'}} \
            => {'$date': '2017-07-14T10:02:44Z'}
        {'$dateFromString': {'dateString': '2017-07-14T12:02:44 L'}} \
            => {'$date': '2017-07-14T01:02:44Z'}
        {'$dateFromString': {'dateString': '2017-07-14T12:02:44 P', \
            'format': '%Y-%m-%dT%H:%M:%S%z'}} => {'$date': '2017-07-14T15:02:44Z'}
        {'$dateFromString': {'dateString': 'July 4th, 2017 12:39:30 BST'}} \
            => {'$date': '2017-07-04T11:39:30Z'}
        {'$dateFromString': {'dateString': '2017-07-14T12:02:44 J'}} => !241
        {'$dateFromString': {'dateString': '2017-07-14T12:02:44 NOPE'}} => !241
        {'$hour': {'date': {'$date': '2017-07-14T12:00:00Z'}, 'timezone': 'EST'}} => 7
        {'$hour': {'date': {'$date': '2017-07-14T12:00:00Z'}, 'timezone': 'CEST'}} => !40485
        """);
  }

  @Test
  void secondsMayStandBehindAPoint() {
    ExpressionTable.check(
        """
        {'$dateFromString': {'dateString': '2017-07-04T11:56.02'}} \
            => {'$date': '2017-07-04T11:56:02Z'}
        {'$dateFromString': {'dateString': '2017-07-04T11:56.02.813'}} \
            => {'$date': '2017-07-04T11:56:02.813Z'}
        """);
  }
}
