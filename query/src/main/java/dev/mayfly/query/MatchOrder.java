package dev.mayfly.query;

import java.util.Comparator;
import java.util.List;

/**
 * Order of the conditions of a filter, as MongoDB sorts its match expressions: by operator, then by
 * path, then by the conditions inside.
 *
 * <p>The positional operator of an update refers to the array element that the last condition in
 * this order matched, regardless of the order in the query.
 */
public final class MatchOrder {
  private static final int NEGATION = 14;

  private static final Comparator<Filter> ORDER =
      Comparator.comparingInt(MatchOrder::operator)
          .thenComparing(MatchOrder::path)
          .thenComparing(MatchOrder::compareMembers);

  private MatchOrder() {}

  /** Returns the same filter with the members of all conjunctions and disjunctions in order. */
  public static Filter sorted(Filter filter) {
    return switch (filter) {
      case Filter.And(List<Filter> members) -> new Filter.And(sorted(members));
      case Filter.Or(List<Filter> members) -> new Filter.Or(sorted(members));
      case Filter other -> other;
    };
  }

  private static List<Filter> sorted(List<Filter> members) {
    return members.stream().map(MatchOrder::sorted).sorted(ORDER).toList();
  }

  /** Returns the position of the operator in MongoDB's list of match types. */
  private static int operator(Filter filter) {
    return switch (filter) {
      case Filter.And _ -> 0;
      case Filter.Or _ -> 1;
      case Filter.ElementMatch _ -> 2;
      case Filter.Size _ -> 3;
      case Filter.Compare(_, Operator operator, _) -> comparison(operator);
      case Filter.Prefix _, Filter.Regex _ -> 9;
      case Filter.Mod _ -> 10;
      case Filter.Exists(_, boolean present) -> present ? 11 : NEGATION;
      case Filter.In(_, var values) -> values.size() == 1 ? comparison(Operator.EQ) : 12;
      case Filter.Bits _ -> 13;
      case Filter.Not _ -> NEGATION;
      case Filter.OfType _ -> 15;
      case Filter.Geo _ -> 16;
      case Filter.Expr _, Filter.Conforms _, Filter.Sampled _ -> 17;
      case Filter.None _ -> 18;
      case Filter.All _ -> 19;
      case Filter.Collated(_, Filter leaf) -> operator(leaf);
    };
  }

  private static int comparison(Operator operator) {
    return switch (operator) {
      case EQ -> 4;
      case LTE -> 5;
      case LT -> 6;
      case GT -> 7;
      case GTE -> 8;
      case NE -> NEGATION;
    };
  }

  /** Returns the path of a leaf; empty for inner nodes. */
  private static String path(Filter filter) {
    return switch (filter) {
      case Filter.And _, Filter.Or _ -> "";
      case Filter other when operator(other) == NEGATION -> "";
      case Filter leaf -> leaf.paths().findFirst().map(Object::toString).orElse("");
    };
  }

  private static int compareMembers(Filter left, Filter right) {
    List<Filter> these = members(left);
    List<Filter> those = members(right);
    for (int i = 0; i < Math.min(these.size(), those.size()); i++) {
      int compared = ORDER.compare(these.get(i), those.get(i));
      if (compared != 0) {
        return compared;
      }
    }
    return Integer.compare(these.size(), those.size());
  }

  private static List<Filter> members(Filter filter) {
    return switch (filter) {
      case Filter.And(List<Filter> members) -> members;
      case Filter.Or(List<Filter> members) -> members;
      case Filter.Not(Filter member) -> List.of(member);
      case Filter.ElementMatch(_, Filter member) -> List.of(member);
      case Filter _ -> List.of();
    };
  }
}
