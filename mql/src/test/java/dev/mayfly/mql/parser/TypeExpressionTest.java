package dev.mayfly.mql.parser;

import org.junit.jupiter.api.Test;

final class TypeExpressionTest {
  @Test
  void typesHaveNames() {
    ExpressionTable.check(
        """
        {'$type': 1} => 'int'
        {'$type': 1.5} => 'double'
        {'$type': '$gone'} => 'missing'
        {'$type': null} => 'null'
        {'$type': [[]]} => 'array'
        {'$type': {'$literal': {}}} => 'object'
        {'$isNumber': {'$numberDecimal': '1'}} => true
        {'$isNumber': 'x'} => false
        """);
  }

  @Test
  void numbersBecomeOtherNumbersOrFail() {
    ExpressionTable.check(
        """
        {'$toInt': 2.9} => 2
        {'$toInt': -2.9} => -2
        {'$toInt': {'$numberDecimal': '2147483647.9'}} => 2147483647
        {'$toInt': {'$numberLong': '2147483648'}} => !241
        {'$toInt': {'$numberDouble': 'NaN'}} => !241
        {'$toInt': {'$numberDouble': 'Infinity'}} => !241
        {'$toInt': true} => 1
        {'$toInt': '17'} => 17
        {'$toInt': '1.5'} => !241
        {'$toInt': ' 1'} => !241
        {'$toInt': ''} => !241
        {'$toInt': null} => null
        {'$toInt': '$gone'} => null
        {'$toInt': {'$date': '2024-01-01T00:00:00Z'}} => !241
        {'$toInt': [[1]]} => !241
        {'$toLong': 1e18} => {'$numberLong': '1000000000000000000'}
        {'$toLong': 1e19} => !241
        {'$toLong': {'$numberDecimal': '1e6000'}} => !241
        {'$toLong': {'$date': '1970-01-01T00:00:01Z'}} => {'$numberLong': '1000'}
        {'$toDouble': '1e3'} => 1000.0
        {'$toDouble': '-Infinity'} => {'$numberDouble': '-Infinity'}
        {'$toDouble': '0x10'} => !241
        {'$toDouble': {'$numberDecimal': '1e1000'}} => !241
        {'$toDouble': false} => 0.0
        {'$toDecimal': 5.5} => {'$numberDecimal': '5.50000000000000'}
        {'$toDecimal': 10} => {'$numberDecimal': '10'}
        {'$toDecimal': '-1.50'} => {'$numberDecimal': '-1.50'}
        {'$toDecimal': 'x'} => !241
        {'$toBool': 'false'} => true
        {'$toBool': 0.0} => false
        {'$toBool': [[]]} => true
        """);
  }

  @Test
  void textsDatesAndIdentifiers() {
    ExpressionTable.check(
        """
        {'$toString': 1.5} => '1.5'
        {'$toString': 1e20} => '1e+20'
        {'$toString': 0.00001} => '1e-05'
        {'$toString': {'$numberLong': '5'}} => '5'
        {'$toString': true} => 'true'
        {'$toString': {'$date': '2018-03-27T16:58:51.538Z'}} => '2018-03-27T16:58:51.538Z'
        {'$toString': {'$oid': '5ab9c3da31c2ab715d421285'}} => '5ab9c3da31c2ab715d421285'
        {'$toString': {'$numberDecimal': '2.50'}} => '2.50'
        {'$toString': [[1]]} => !241
        {'$toDate': {'$numberLong': '120000000000'}} => {'$date': '1973-10-20T21:20:00Z'}
        {'$toDate': 1.9} => {'$date': '1970-01-01T00:00:00.001Z'}
        {'$toDate': 1} => !241
        {'$toDate': {'$oid': '5ab9c3da31c2ab715d421285'}} => {'$date': '2018-03-27T04:08:58Z'}
        {'$toDate': '2018-03-20'} => {'$date': '2018-03-20T00:00:00Z'}
        {'$toDate': 'Friday'} => !241
        {'$toObjectId': '5ab9cbfa31c2ab715d42129e'} => {'$oid': '5ab9cbfa31c2ab715d42129e'}
        {'$toObjectId': '5ab9'} => !241
        {'$toObjectId': 1} => !241
        {'$toUUID': '0e3b9063-8abd-4eb3-9f9f-f4c59fd30a60'} \
            => {'$binary': {'base64': 'DjuQY4q9TrOfn/TFn9MKYA==', 'subType': '04'}}
        {'$toUUID': 'x'} => !241
        {'$toString': {'$toUUID': '0e3b9063-8abd-4eb3-9f9f-f4c59fd30a60'}} \
            => '0e3b9063-8abd-4eb3-9f9f-f4c59fd30a60'
        """);
  }

  @Test
  void conversionsMayHaveSomethingElseToTake() {
    ExpressionTable.check(
        """
        {'$convert': {'input': '5', 'to': 'int'}} => 5
        {'$convert': {'input': '5', 'to': 16}} => 5
        {'$convert': {'input': '5', 'to': 'double'}} => 5.0
        {'$convert': {'input': 'x', 'to': 'int', 'onError': 'bad'}} => 'bad'
        {'$convert': {'input': null, 'to': 'int', 'onNull': 0}} => 0
        {'$convert': {'input': '$gone', 'to': 'int'}} => null
        {'$convert': {'input': '5', 'to': null}} => null
        {'$convert': {'input': '5', 'to': 'nope'}} => !2
        {'$convert': {'input': '5', 'to': 99}} => !9
        {'$convert': {'input': '5'}} => !9
        {'$convert': {'input': '5', 'to': 'int', 'x': 1}} => !9
        {'$convert': {'input': 'aGk=', 'to': 'binData', 'format': 'base64'}} \
            => {'$binary': {'base64': 'aGk=', 'subType': '00'}}
        {'$convert': {'input': {'$binary': {'base64': 'aGk=', 'subType': '00'}}, \
            'to': 'string', 'format': 'utf8'}} => 'hi'
        {'$convert': {'input': {'$binary': {'base64': 'aGk=', 'subType': '00'}}, \
            'to': 'string', 'format': 'hex'}} => '6869'
        """);
  }

  @Test
  void binariesNeedAFormatAndKeepTheirSubtype() {
    ExpressionTable.check(
        """
        {'$convert': {'input': 'aGk=', 'to': 'binData'}} => !4341115
        {'$convert': {'input': {'$binary': {'base64': 'aGk=', 'subType': '00'}}, \
            'to': 'string'}} => !4341115
        {'$convert': {'input': {'$binary': {'base64': '+v8=', 'subType': '00'}}, \
            'to': 'string', 'format': 'hex'}} => 'FAFF'
        {'$convert': {'input': {'$binary': {'base64': 'aGk=', 'subType': '00'}}, \
            'to': {'type': 'binData', 'subtype': 4}}} => !241
        {'$convert': {'input': {'$binary': {'base64': 'aGk=', 'subType': '00'}}, \
            'to': 'binData'}} => {'$binary': {'base64': 'aGk=', 'subType': '00'}}
        {'$convert': {'input': 'aGk=', 'to': {'type': 'binData', 'subtype': 127}, \
            'format': 'base64'}} => !4341107
        {'$convert': {'input': 'aGk=', 'to': {'type': 'binData', 'subtype': 'x'}, \
            'format': 'base64'}} => !4341108
        {'$convert': {'input': 'x', 'to': 'int', 'byteOrder': 'little'}} => !9
        """);
  }

  @Test
  void textsOfNumbersBeyondADoubleAreRefused() {
    ExpressionTable.check(
        """
        {'$toDouble': '1e400'} => !241
        {'$toDouble': '-1e400'} => !241
        {'$toDouble': 'Infinity'} => {'$numberDouble': 'Infinity'}
        """);
  }

  @Test
  void hashedKeysAreThoseOfMongoDb() {
    ExpressionTable.check(
        """
        {'$toHashedIndexKey': 1} => {'$numberLong': '5902408780260971510'}
        {'$toHashedIndexKey': 1.9} => {'$numberLong': '5902408780260971510'}
        {'$toHashedIndexKey': null} => {'$numberLong': '2338878944348059895'}
        {'$toHashedIndexKey': '$gone'} => {'$numberLong': '2338878944348059895'}
        {'$eq': [{'$toHashedIndexKey': [[1]]}, {'$toHashedIndexKey': [[2]]}]} => false
        """);
  }

  @Test
  void whatCannotBeConvertedIsToldInMongoDbsWords() {
    ExpressionTable.check(
        """
        {'$toInt': '0x10'} \
            => !241 Illegal hexadecimal input in $convert with no onError value: 0x10
        {'$toDouble': '0x10'} \
            => !241 Illegal hexadecimal input in $convert with no onError value: 0x10
        {'$convert': {'input': 1, 'to': 1.5}} \
            => !9 In $convert, numeric 'to' argument is not an integer
        {'$convert': {'input': 1, 'to': true}} \
            => !9 $convert's 'to' argument must be a string or number, but is bool
        {'$toString': {'$code': 'x'}} => !241
        """);
  }
}
