package dev.mayfly.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.store.CellState;
import dev.mayfly.store.MemberRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class BalancerTest {
  private static MemberRow member(int slot, double load) {
    return new MemberRow(new UUID(1, slot), slot, "", "", "", "", new byte[0], "", 1, 0, load);
  }

  /** Returns a map with cells from 0, whose owners have these slots. */
  private static ClusterMap map(List<MemberRow> members, int... owners) {
    List<CellState> cells = new ArrayList<>();
    for (int owner : owners) {
      cells.add(new CellState(cells.size(), 1, Optional.of(new UUID(1, owner)), 0, 0, 0));
    }
    return ClusterMap.of(members, _ -> true, cells);
  }

  @Test
  void cellMovesFromTheServerWithMostToTheOneWithFewest() {
    List<MemberRow> members = List.of(member(0, 0), member(1, 0), member(2, 0));

    assertThat(Balancer.next(map(members, 0, 0, 0, 1))).contains(new Balancer.Move(1, 2));
  }

  @Test
  void homeCellStays() {
    assertThat(Balancer.next(map(List.of(member(0, 0), member(1, 0)), 0, 0)))
        .contains(new Balancer.Move(1, 1));
    assertThat(Balancer.next(map(List.of(member(0, 0), member(1, 0)), 0))).isEmpty();
  }

  @Test
  void differenceOfOneCellIsBalanced() {
    assertThat(Balancer.next(map(List.of(member(0, 0), member(1, 0)), 0, 0, 1))).isEmpty();
  }

  @Test
  void drainedServersGetNothing() {
    List<MemberRow> members = List.of(member(0, 3), member(1, Double.POSITIVE_INFINITY));

    assertThat(Balancer.next(map(members, 0, 0, 0))).isEmpty();
  }

  @Test
  void nothingMovesWhileACellHasNoOwner() {
    assertThat(Balancer.next(map(List.of(member(0, 0), member(1, 0)), 0, 0, 0, 9))).isEmpty();
  }

  @Test
  void allServersComputeTheSameOrderOfTakeOver() {
    List<MemberRow> members = List.of(member(0, 0), member(1, 0), member(2, 0));
    List<MemberRow> reversed = members.reversed();
    int[] firsts = new int[3];
    for (int cell = 0; cell < 256; cell++) {
      List<UUID> order = TakeOver.order(map(members), cell);
      assertThat(order).isEqualTo(TakeOver.order(map(reversed), cell));
      firsts[(int) order.getFirst().getLeastSignificantBits()]++;
    }
    assertThat(Arrays.stream(firsts).min().orElseThrow()).isGreaterThan(40);
  }
}
