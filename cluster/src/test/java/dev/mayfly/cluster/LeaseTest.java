package dev.mayfly.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LeaseTest {
  private long nanos = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(3);
  private final Lease lease = new Lease(() -> nanos, Duration.ofSeconds(4));

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void thereIsNoLeaseBeforeTheFirstSignOfLife() {
    assertThat(lease.current()).isZero();
    assertThat(lease.holds(0)).isFalse();
  }

  @Test
  void leaseLastsFourSecondsFromTheStartOfASignOfLife() {
    long start = nanos;
    pass(900);
    lease.renew(start);
    long term = lease.current();

    pass(3_099);
    assertThat(lease.holds(term)).isTrue();
    pass(1);
    assertThat(lease.holds(term)).isFalse();
    assertThat(lease.current()).isZero();
  }

  @Test
  void signsOfLifeInTimeExtendATerm() {
    lease.renew(nanos);
    long term = lease.current();
    for (int i = 0; i < 10; i++) {
      pass(3_999);
      lease.renew(nanos);
      assertThat(lease.holds(term)).isTrue();
    }
  }

  @Test
  void lateSignOfLifeBeginsANewTerm() {
    lease.renew(nanos);
    long term = lease.current();
    pass(2_000);
    long start = nanos;
    pass(2_500);

    lease.renew(start);

    assertThat(lease.holds(term)).isFalse();
    assertThat(lease.current()).isGreaterThan(term);
  }

  @Test
  void signOfLifeThatTookLongerThanTheLeaseIsWorthNothing() {
    long start = nanos;
    pass(4_000);
    lease.renew(start);

    assertThat(lease.current()).isZero();
  }
}
