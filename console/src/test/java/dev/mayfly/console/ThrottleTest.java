package dev.mayfly.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ThrottleTest {
  private final AtomicLong clock = new AtomicLong(5_000);
  private final Throttle throttle = new Throttle(clock::get);

  private static InetAddress address(String text) throws UnknownHostException {
    return InetAddress.getByName(text);
  }

  @Test
  void fromTheThirdFailureOnTheWaitDoublesUpToHalfAMinute() throws Exception {
    InetAddress address = address("10.0.0.1");
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      throttle.failed(address);
      waits.add(throttle.waitMillis(address));
      clock.addAndGet(throttle.waitMillis(address));
      assertThat(throttle.waitMillis(address)).isZero();
    }
    assertThat(waits)
        .containsExactly(
            0L, 0L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 30_000L, 30_000L);
  }

  @Test
  void otherAddressesDoNotWait() throws Exception {
    for (int i = 0; i < 5; i++) {
      throttle.failed(address("10.0.0.1"));
      throttle.failed(address("2001:db8::1"));
    }
    assertThat(throttle.waitMillis(address("10.0.0.2"))).isZero();
    assertThat(throttle.waitMillis(address("2001:db8:0:1::1"))).isZero();
    assertThat(throttle.waitMillis(address("2001:db8::2"))).isPositive();
  }

  @Test
  void aSuccessAndTimeForgetFailures() throws Exception {
    InetAddress address = address("10.0.0.1");
    for (int i = 0; i < 5; i++) {
      throttle.failed(address);
    }
    throttle.succeeded(address);
    assertThat(throttle.waitMillis(address)).isZero();
    throttle.failed(address);
    throttle.failed(address);
    clock.addAndGet(16 * 60_000);
    throttle.failed(address);
    assertThat(throttle.waitMillis(address)).isZero();
  }
}
