package dev.mayfly.mql.parser;

import org.junit.jupiter.api.Test;

final class ArrayExpressionTest {
  @Test
  void elementsAreFoundByPlaceAndByValue() {
    ExpressionTable.check(
        """
        with {'xs': [10, 20, 30], 'n': null}
        {'$arrayElemAt': ['$xs', 0]} => 10
        {'$arrayElemAt': ['$xs', -1]} => 30
        {'$arrayElemAt': ['$xs', 3]} => missing
        {'$arrayElemAt': ['$xs', -4]} => missing
        {'$arrayElemAt': ['$xs', 1.0]} => 20
        {'$arrayElemAt': ['$xs', 1.5]} => !28691
        {'$arrayElemAt': ['$xs', 'x']} => !28690
        {'$arrayElemAt': [1, 0]} => !28689
        {'$arrayElemAt': ['$n', 0]} => null
        {'$first': '$xs'} => 10
        {'$last': '$xs'} => 30
        {'$first': [[]]} => missing
        {'$first': '$gone'} => null
        {'$first': 1} => !28689
        {'$size': '$xs'} => 3
        {'$size': '$gone'} => !17124
        {'$isArray': ['$xs']} => true
        {'$isArray': 1} => false
        {'$in': [20.0, '$xs']} => true
        {'$in': [5, '$xs']} => false
        {'$in': [5, 5]} => !40081
        {'$indexOfArray': ['$xs', 30]} => 2
        {'$indexOfArray': ['$xs', 10, 1]} => -1
        {'$indexOfArray': ['$xs', 30, 0, 2]} => -1
        {'$indexOfArray': ['$n', 30]} => null
        {'$indexOfArray': [1, 30]} => !40090
        """);
  }

  @Test
  void arraysAreCutJoinedAndMade() {
    ExpressionTable.check(
        """
        {'$concatArrays': [[1, 2], [3]]} => [1, 2, 3]
        {'$concatArrays': [[1], null]} => null
        {'$concatArrays': [[1], 2]} => !28664
        {'$slice': [[1, 2, 3], 2]} => [1, 2]
        {'$slice': [[1, 2, 3], -2]} => [2, 3]
        {'$slice': [[1, 2, 3], 15, 2]} => []
        {'$slice': [[1, 2, 3], -15, 2]} => [1, 2]
        {'$slice': [[1, 2, 3], 1, 0]} => !28729
        {'$slice': [[1, 2, 3], 'x']} => !28725
        {'$slice': [1, 2]} => !28724
        {'$slice': [null, 2]} => null
        {'$reverseArray': {'$literal': [1, 2, [3, 4]]}} => [[3, 4], 2, 1]
        {'$reverseArray': 1} => !34435
        {'$range': [0, 10, 3]} => [0, 3, 6, 9]
        {'$range': [3, 0, -1]} => [3, 2, 1]
        {'$range': [0, 3, -1]} => []
        {'$range': [0, 3, 0]} => !34449
        {'$range': [0.5, 3]} => !34444
        {'$range': ['x', 3]} => !34443
        {'$range': [0, 2147483647]} => !146
        {'$zip': {'inputs': [[1, 2], ['a']]}} => [[1, 'a']]
        {'$zip': {'inputs': [[1, 2], ['a']], 'useLongestLength': true}} => [[1, 'a'], [2, null]]
        {'$zip': {'inputs': [[1], []], 'useLongestLength': true, 'defaults': [0, 'z']}} \
            => [[1, 'z']]
        {'$zip': {'inputs': [[1], null]}} => null
        {'$zip': {'inputs': [[1], 2]}} => !34468
        {'$zip': {'inputs': [[1]], 'defaults': [1]}} => !34466
        {'$zip': {'inputs': []}} => !34465
        {'$zip': {}} => !34465
        """);
  }

  @Test
  void arraysAreOrderedAndTheirExtremesTaken() {
    ExpressionTable.check(
        """
        {'$sortArray': {'input': [3, 'a', 1, null], 'sortBy': 1}} => [null, 1, 3, 'a']
        {'$sortArray': {'input': [3, 1, 2], 'sortBy': -1}} => [3, 2, 1]
        {'$sortArray': {'input': [{'a': 2}, {'a': 1, 'b': 2}, {'a': 1, 'b': 3}], \
            'sortBy': {'a': 1, 'b': -1}}} => [{'a': 1, 'b': 3}, {'a': 1, 'b': 2}, {'a': 2}]
        {'$sortArray': {'input': null, 'sortBy': 1}} => null
        {'$sortArray': {'input': 1, 'sortBy': 1}} => !2942504
        {'$sortArray': {'input': [1], 'sortBy': 2}} => !2
        {'$sortArray': {'input': [1], 'sortBy': {}}} => !2
        {'$sortArray': {'input': [{'a': [5, 1]}, {'a': 3}, {'a': []}], 'sortBy': {'a': 1}}} \
            => [{'a': 3}, {'a': []}, {'a': [5, 1]}]
        {'$minN': 1} => !5787900
        {'$firstN': 1} => !5787801
        {'$firstN': {'input': [1, 2, 3], 'n': 2}} => [1, 2]
        {'$lastN': {'input': [1, 2, 3], 'n': 2}} => [2, 3]
        {'$minN': {'input': [3, null, 1, 2], 'n': 2}} => [1, 2]
        {'$maxN': {'input': [3, null, 1, 2], 'n': 2}} => [3, 2]
        {'$maxN': {'input': [3, 1], 'n': 0}} => !5787908
        {'$maxN': {'input': [3, 1], 'n': 1.5}} => !5787903
        {'$firstN': {'input': 1, 'n': 1}} => !5788200
        """);
  }

  @Test
  void setsKnowEqualElementsOnce() {
    ExpressionTable.check(
        """
        {'$setUnion': [[3, 1, 1.0], [2]]} => [1, 2, 3]
        {'$setUnion': [[1], null]} => null
        {'$setUnion': [[1], 2]} => !17043
        {'$setIntersection': [[1, 2, 3], [3, 2, 2]]} => [2, 3]
        {'$setIntersection': []} => []
        {'$setIntersection': [[1], 2]} => !17047
        {'$setDifference': [[3, 1, 3, 2], [1]]} => [3, 2]
        {'$setDifference': [null, [1]]} => null
        {'$setDifference': [1, [1]]} => !17048
        {'$setEquals': [[1, 2, 2], [2, 1]]} => true
        {'$setEquals': [[1], [2]]} => false
        {'$setEquals': [[1], null]} => !17044
        {'$setEquals': [[1], [2], null]} => false
        {'$setEquals': [[1]]} => !17045
        {'$setIsSubset': [[1, 1], [1, 2]]} => true
        {'$setIsSubset': [null, [1]]} => !17046
        {'$anyElementTrue': [[0, null, 1]]} => true
        {'$anyElementTrue': [[]]} => false
        {'$allElementsTrue': [[]]} => true
        {'$allElementsTrue': [[1, 0]]} => false
        {'$allElementsTrue': [null]} => !17040
        """);
  }

  @Test
  void accumulatorsTakeTheElementsOfTheirOnlyOperand() {
    ExpressionTable.check(
        """
        with {'xs': [1, 2, 'x', 3], 'a': 5}
        {'$sum': '$xs'} => 6
        {'$sum': ['$xs', '$a']} => 5
        {'$sum': [1, 2, '$a']} => 8
        {'$avg': '$xs'} => 2.0
        {'$avg': ['x']} => null
        {'$min': '$xs'} => 1
        {'$max': '$xs'} => 'x'
        {'$max': ['$a', 7]} => 7
        {'$stdDevPop': [[1, 3]]} => 1.0
        {'$median': {'input': '$xs', 'method': 'approximate'}} => 2.0
        {'$percentile': {'input': '$xs', 'p': [0.5, 1], 'method': 'approximate'}} => [2.0, 3.0]
        {'$percentile': {'input': '$xs', 'p': [2], 'method': 'approximate'}} => !7750303
        {'$median': {'input': '$xs', 'method': 'exact'}} => !2
        """);
  }

  @Test
  void objectsAndTheirFields() {
    ExpressionTable.check(
        """
        with {'o': {'a': 1, 'b.c': 2, '$d': 3}, 'n': null}
        {'$mergeObjects': [{'a': 1, 'b': 2}, null, {'a': 3}]} => {'a': 3, 'b': 2}
        {'$mergeObjects': ['$gone']} => {}
        {'$mergeObjects': [1]} => !40400
        {'$objectToArray': {'a': 1, 'b': 2}} => [{'k': 'a', 'v': 1}, {'k': 'b', 'v': 2}]
        {'$objectToArray': 1} => !40390
        {'$objectToArray': null} => null
        {'$arrayToObject': {'$literal': [['a', 1], ['b', 2], ['a', 3]]}} => {'a': 3, 'b': 2}
        {'$arrayToObject': {'$literal': [{'k': 'a', 'v': 1}]}} => {'a': 1}
        {'$arrayToObject': {'$literal': []}} => {}
        {'$arrayToObject': {'$literal': [1]}} => !40398
        {'$arrayToObject': {'$literal': [['a', 1], {'k': 'a', 'v': 1}]}} => !40396
        {'$arrayToObject': {'$literal': [['a']]}} => !40397
        {'$arrayToObject': {'$literal': [[1, 1]]}} => !40395
        {'$arrayToObject': {'$literal': [{'k': 'a'}]}} => !40392
        {'$getField': {'field': 'b.c', 'input': '$o'}} => 2
        {'$getField': {'field': {'$literal': '$d'}, 'input': '$o'}} => 3
        {'$getField': 'n'} => null
        {'$getField': {'field': 'x', 'input': '$o'}} => missing
        {'$getField': {'field': 'x', 'input': null}} => null
        {'$getField': {'field': 'x', 'input': 1}} => missing
        {'$getField': {'field': 1, 'input': '$o'}} => !5654602
        {'$setField': {'field': 'b.c', 'input': '$o', 'value': 9}} => {'a': 1, 'b.c': 9, '$d': 3}
        {'$setField': {'field': 'z', 'input': {'a': 1}, 'value': 9}} => {'a': 1, 'z': 9}
        {'$setField': {'field': 'a', 'input': {'a': 1}, 'value': '$$REMOVE'}} => {}
        {'$setField': {'field': 'a', 'input': null, 'value': 1}} => null
        {'$setField': {'field': 'a', 'input': 1, 'value': 1}} => !4161105
        {'$unsetField': {'field': '$d', 'input': '$o'}} => !4161108
        {'$unsetField': {'field': 'd'}} => !4161109
        {'$unsetField': {'field': 1, 'input': '$o'}} => !4161107
        {'$setField': {'input': '$o'}} => !4161102
        {'$setField': {'field': 'a', 'input': '$o'}} => !4161103
        {'$getField': {'field': 'a'}} => !3041703
        {'$unsetField': {'field': {'$literal': '$d'}, 'input': '$o'}} => {'a': 1, 'b.c': 2}
        {'$bsonSize': {'$literal': {'a': 1}}} => 12
        {'$bsonSize': 1} => !31393
        {'$binarySize': 'é'} => 2
        {'$binarySize': {'$binary': {'base64': 'AQID', 'subType': '00'}}} => 3
        {'$binarySize': 1} => !51276
        """);
  }

  @Test
  void everyMissingArgumentHasItsOwnNumber() {
    ExpressionTable.check(
        """
        {'$filter': {'cond': true}} => !28648
        {'$filter': {'input': []}} => !28650
        {'$map': {'input': []}} => !16882
        {'$reduce': {'input': [], 'in': 1}} => !40078
        {'$reduce': {'input': [], 'initialValue': 1}} => !40079
        {'$sortArray': {'input': []}} => !2942503
        {'$firstN': {'n': 1}} => !5787907
        {'$replaceOne': {'input': 'a', 'replacement': 'b'}} => !51748
        {'$replaceAll': {'input': 'a', 'find': 'b'}} => !51747
        {'$regexMatch': {'input': 'a'}} => !31023
        """);
  }
}
