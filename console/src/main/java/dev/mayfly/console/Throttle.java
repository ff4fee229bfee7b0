package dev.mayfly.console;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Delays guesses of passwords: from the third wrong one on, an address has to wait, twice as long
 * each time, up to 30 seconds. Safe for many threads.
 */
public final class Throttle {
  private static final int FREE_FAILURES = 2;
  private static final int MAX_DOUBLINGS = 5;
  private static final long FIRST_MILLIS = 1_000;
  private static final long MAX_MILLIS = 30_000;
  private static final long FORGET_MILLIS = Duration.ofMinutes(15).toMillis();
  private static final int MAX_ADDRESSES = 10_000;

  /** Clients usually have a whole network of this many bytes. */
  private static final int NETWORK_BYTES = 8;

  private final LongSupplier clock;
  private final Map<String, Failures> byAddress = new LinkedHashMap<>();

  private record Failures(int count, long last) {
    long waitMillis() {
      int doublings = Math.min(count - FREE_FAILURES - 1, MAX_DOUBLINGS);
      return doublings < 0 ? 0 : Math.min(FIRST_MILLIS << doublings, MAX_MILLIS);
    }
  }

  /**
   * Creates a throttle without failures.
   *
   * @param clock milliseconds
   */
  public Throttle(LongSupplier clock) {
    this.clock = clock;
  }

  /** Returns how long an address has to wait before its next guess; 0 if it may guess. */
  public synchronized long waitMillis(InetAddress address) {
    Failures failures = byAddress.get(key(address));
    return failures == null
        ? 0
        : Math.max(0, failures.last() + failures.waitMillis() - clock.getAsLong());
  }

  /** Records a wrong guess. */
  public synchronized void failed(InetAddress address) {
    long now = clock.getAsLong();
    byAddress.values().removeIf(failures -> now - failures.last() > FORGET_MILLIS);
    Failures before = byAddress.remove(key(address));
    byAddress.put(key(address), new Failures(before == null ? 1 : before.count() + 1, now));
    if (byAddress.size() > MAX_ADDRESSES) {
      byAddress.remove(byAddress.keySet().iterator().next());
    }
  }

  /** Forgets the wrong guesses of an address that has guessed right. */
  public synchronized void succeeded(InetAddress address) {
    byAddress.remove(key(address));
  }

  private static String key(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean network = address instanceof Inet6Address;
    return HexFormat.of().formatHex(network ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }
}
