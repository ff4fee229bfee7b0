package dev.mayfly.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What connections may use of the memory for bytes in flight. */
final class ByteBudgetTest {
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** Five shares of 1 MiB. */
  private final ByteBudget budget = new ByteBudget(5 * MIB);

  private final List<String> calls = new ArrayList<>();

  private ByteBudget.Claim claim(String name) {
    return budget.claim(() -> calls.add("late " + name));
  }

  private boolean message(ByteBudget.Claim claim, String name, long bytes) {
    return claim.message(bytes, () -> calls.add(name));
  }

  @Test
  void claimsAreGrantedInOrderOfArrival() {
    ByteBudget.Claim first = claim("first");
    assertThat(message(first, "first", 700 * KIB)).isTrue();
    ByteBudget.Claim second = claim("second");
    assertThat(message(second, "second", 700 * KIB)).isFalse();
    ByteBudget.Claim third = claim("third");
    assertThat(message(third, "third", 100 * KIB))
        .as("there is room, but others came first")
        .isFalse();
    first.release();
    assertThat(calls).containsExactly("second", "third");
    assertThat(budget.usedBytes()).isEqualTo(800 * KIB);
    second.release();
    third.release();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void smallClaimsAreAlwaysGranted() {
    ByteBudget.Claim large = claim("large");
    assertThat(message(large, "large", MIB)).isTrue();
    ByteBudget.Claim waiting = claim("waiting");
    assertThat(message(waiting, "waiting", MIB)).isFalse();
    assertThat(message(claim("small"), "small", ByteBudget.FREE_BYTES)).isTrue();
    assertThat(budget.usedBytes()).isEqualTo(MIB);
  }

  @Test
  void aShareThatIsNotInUseGrantsTheLargestClaim() {
    ByteBudget.Claim largest = claim("largest");
    assertThat(message(largest, "largest", 96_000_000)).isTrue();
    ByteBudget.Claim next = claim("next");
    assertThat(message(next, "next", 48_000_000)).isFalse();
    largest.release();
    assertThat(calls).containsExactly("next");
  }

  @Test
  void messagesOfDifferentKindsDoNotWaitForEachOther() {
    assertThat(message(claim("largest"), "largest", 48_000_000)).isTrue();
    assertThat(message(claim("other"), "other", 48_000_000)).isFalse();
    assertThat(message(claim("large"), "large", 2 * MIB)).isTrue();
    assertThat(message(claim("medium"), "medium", 17 * KIB)).isTrue();
    assertThat(claim("reply").growReply(17 * KIB)).isTrue();
  }

  @Test
  void closingAClaimGrantsWaitingClaims() {
    ByteBudget.Claim first = claim("first");
    message(first, "first", MIB);
    ByteBudget.Claim second = claim("second");
    message(second, "second", MIB);
    ByteBudget.Claim third = claim("third");
    message(third, "third", MIB);
    second.close();
    first.close();
    assertThat(calls).containsExactly("third");
    assertThat(message(first, "first again", MIB)).as("closed for good").isFalse();
    assertThat(budget.waiting()).isZero();
  }

  @Test
  void latePeersAreDisconnectedOnlyWhileOthersWait() {
    ByteBudget.Claim slow = claim("slow");
    message(slow, "slow", MIB);
    slow.expectBy(100);
    budget.disconnectLate(101);
    assertThat(calls).isEmpty();
    message(claim("waiting"), "waiting", MIB);
    budget.disconnectLate(100);
    assertThat(calls).as("not late yet").isEmpty();
    budget.disconnectLate(101);
    assertThat(calls).containsExactly("late slow");
    slow.expectNothing();
    budget.disconnectLate(Long.MAX_VALUE - 1);
    assertThat(calls).as("the server is at work").containsExactly("late slow");
  }

  @Test
  void aReplyThatCannotGrowKeepsItsMemory() {
    ByteBudget.Claim one = claim("one");
    ByteBudget.Claim other = claim("other");
    assertThat(one.growReply(600 * KIB)).isTrue();
    assertThat(other.growReply(300 * KIB)).isTrue();
    assertThat(other.growReply(500 * KIB)).isFalse();
    assertThat(other.held()).isEqualTo(300 * KIB);
    one.release();
    assertThat(other.growReply(500 * KIB)).isTrue();
    assertThat(other.held()).as("room for what comes next").isEqualTo(600 * KIB);
    other.settleReply(20 * KIB);
    assertThat(budget.usedBytes()).isEqualTo(20 * KIB);
    assertThat(other.growReply(2L * MIB)).as("of another share").isTrue();
    assertThat(budget.usedBytes()).isEqualTo(2L * MIB);
  }

  @Test
  void aGrowingReplyNeverWaitsForAShareItHolds() {
    ByteBudget.Claim one = claim("one");
    ByteBudget.Claim other = claim("other");
    assertThat(one.extendReply(17 * KIB)).isTrue();
    assertThat(one.held()).as("all of its kind").isEqualTo(MIB);
    assertThat(other.extendReply(17 * KIB)).isFalse();
    assertThat(other.held()).isZero();
    assertThat(one.extendReply(MIB)).as("without another claim").isTrue();
    assertThat(one.extendReply(MIB + 1)).isTrue();
    assertThat(one.held()).isEqualTo(17L * MIB);
    assertThat(other.extendReply(17 * KIB)).as("one has moved on").isTrue();
    assertThat(other.extendReply(MIB + 1)).isFalse();
    CompletableFuture<Boolean> waiting =
        CompletableFuture.supplyAsync(() -> other.awaitExtended(MIB + 1, this::releaseWhenWaiting));
    release = one;
    assertThat(waiting.join()).isTrue();
    assertThat(budget.usedBytes()).isEqualTo(17L * MIB);
    assertThat(other.awaitExtended(18L * MIB, () -> {})).as("counted at once").isTrue();
    assertThat(other.held()).isEqualTo(18L * MIB);
  }

  @Test
  void aReplyInMemoryIsCountedBeyondTheShare() {
    ByteBudget.Claim unread = claim("unread");
    unread.countReply(5L * MIB);
    unread.expectBy(1);
    assertThat(claim("other").growReply(2L * MIB)).isFalse();
    assertThat(claim("smaller").growReply(20 * KIB)).isTrue();
    assertThat(budget.repliesUsedUp()).isTrue();
    budget.disconnectLate(2);
    assertThat(calls).containsExactly("late unread");
  }

  @Test
  void aWaitEndsWhenMemoryIsReleased() {
    ByteBudget.Claim first = claim("first");
    first.countReply(MIB);
    CompletableFuture<Boolean> waiting =
        CompletableFuture.supplyAsync(
            () -> claim("second").awaitReply(MIB, this::releaseWhenWaiting));
    release = first;
    assertThat(waiting.join()).isTrue();
    assertThat(budget.usedBytes()).isEqualTo(MIB);
  }

  private volatile ByteBudget.Claim release = claim("none");

  private void releaseWhenWaiting() {
    assertThat(budget.waiting()).isEqualTo(1);
    release.release();
  }

  @Test
  void anAbortedWaitDoesNotBlockOthers() {
    ByteBudget.Claim first = claim("first");
    first.countReply(900 * KIB);
    ByteBudget.Claim second = claim("second");
    assertThatThrownBy(
            () ->
                second.awaitReply(
                    MIB,
                    () -> {
                      throw new IllegalStateException("killed");
                    }))
        .hasMessage("killed");
    assertThat(budget.waiting()).isZero();
    assertThat(claim("third").growReply(100 * KIB)).isTrue();
  }
}
