package dev.mayfly.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of {@link Board} and {@link Stores}. Each test uses a cell of its own. */
public abstract class BoardContract {
  private final UUID one = UUID.randomUUID();
  private final UUID two = UUID.randomUUID();

  protected abstract Board board();

  protected abstract Stores stores();

  /** Returns the number of a cell that does not exist. */
  protected abstract int newCell();

  private CellState state(int cell) {
    return board().cells().stream().filter(each -> each.cell() == cell).findFirst().orElseThrow();
  }

  private CellState created() {
    int cell = newCell();
    assertThat(board().createCell(cell)).isTrue();
    return state(cell);
  }

  @Test
  void rowsOfMembersAreReadAsTheyWereWritten() {
    byte[] fingerprint = {1, 2, 3};
    MemberRow row =
        new MemberRow(one, 7, "a name", "host:1", "m:2", "", fingerprint, "1.0", 5, 6, 1.5);
    board().beat(row);

    MemberRow read =
        board().members().stream()
            .filter(member -> member.server().equals(one))
            .findFirst()
            .orElseThrow();

    assertThat(read)
        .usingRecursiveComparison()
        .withEqualsForType(java.util.Arrays::equals, byte[].class)
        .isEqualTo(row);
    board().leave(one);
    assertThat(board().members()).extracting(MemberRow::server).doesNotContain(one);
  }

  @Test
  void slotBelongsToOneServer() {
    int slot = newCell();
    assertThat(board().takeSlot(slot, Optional.empty(), one)).isTrue();
    assertThat(board().takeSlot(slot, Optional.empty(), two)).isFalse();
    assertThat(board().takeSlot(slot, Optional.of(two), two)).isFalse();
    assertThat(board().slots()).containsEntry(slot, one);
    assertThat(board().takeSlot(slot, Optional.of(one), two)).isTrue();

    board().freeSlot(slot, one);
    assertThat(board().slots()).containsEntry(slot, two);
    board().freeSlot(slot, two);
    assertThat(board().slots()).doesNotContainKey(slot);
  }

  @Test
  void newCellHasNoOwner() {
    CellState cell = created();

    assertThat(cell.owner()).isEmpty();
    assertThat(cell.epoch()).isZero();
    assertThat(board().createCell(cell.cell())).isFalse();
  }

  @Test
  void oneOfTwoClaimsSucceeds() {
    CellState cell = created();

    assertThat(board().claim(cell, one, 100)).isEqualTo(OptionalLong.of(1));
    assertThat(board().claim(cell, two, 200)).isEmpty();
    assertThat(state(cell.cell()).owner()).contains(one);
    assertThat(state(cell.cell()).floor()).isEqualTo(100);
  }

  @Test
  void claimThatNamesAFormerOwnerFails() {
    CellState cell = created();
    board().claim(cell, one, 0);
    CellState owned = state(cell.cell());
    board().handOver(cell.cell(), 1, one, Optional.of(two), 50);

    assertThat(board().claim(owned, one, 0)).isEmpty();
    CellState given = state(cell.cell());
    assertThat(given.owner()).contains(two);
    assertThat(given.floor()).isEqualTo(50);
    assertThat(board().claim(given, two, 0)).isEqualTo(OptionalLong.of(2));
    assertThat(state(cell.cell()).floor()).isEqualTo(50);
  }

  @Test
  void onlyTheOwnerHandsACellOver() {
    CellState cell = created();
    board().claim(cell, one, 0);

    board().handOver(cell.cell(), 1, two, Optional.of(two), 50);
    board().handOver(cell.cell(), 0, one, Optional.of(two), 50);
    assertThat(state(cell.cell()).owner()).contains(one);

    board().handOver(cell.cell(), 1, one, Optional.empty(), 50);
    assertThat(state(cell.cell()).owner()).isEmpty();
    assertThat(board().claim(state(cell.cell()), two, 0)).isEqualTo(OptionalLong.of(2));
  }

  @Test
  void databaseKeepsItsFirstPlace() {
    String name = "shop" + one;

    assertThat(board().database(name)).isEmpty();
    assertThat(board().placeDatabase(name, 3)).isEqualTo(3);
    assertThat(board().placeDatabase(name, 4)).isEqualTo(3);
    assertThat(board().database(name)).isEqualTo(OptionalInt.of(3));
    assertThat(board().databases()).containsEntry(name, 3);
  }

  @Test
  void claimFencesTheStoreOfTheFormerOwner() {
    CellState cell = created();
    board().claim(cell, one, 0);
    byte[] key = {1};
    boolean[] lost = new boolean[1];
    try (Store former = stores().open(cell.cell(), 1, () -> lost[0] = true)) {
      Shard old = former.own(1);
      old.commit(new Batch().put(Space.RECORDS, key, key));
      former.checkpoint();
      board().claim(state(cell.cell()), two, 0);

      assertFenced(() -> old.commit(new Batch().put(Space.RECORDS, key, new byte[] {2})));
      assertThat(lost[0]).isTrue();
      assertFenced(() -> stores().open(cell.cell(), 1, () -> {}));
      try (Store next = stores().open(cell.cell(), 2, () -> {})) {
        assertThat(next.own(1).read(Space.RECORDS, key)).containsExactly(1);
      }
    }
  }

  private static void assertFenced(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.FENCED));
  }
}
