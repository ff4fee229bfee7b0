package dev.mayfly.bench;

import java.util.Locale;
import java.util.Random;

/**
 * Orders of {@link MongoBench}: what all servers store and look for.
 *
 * @param documents stored before the first round; amounts are a permutation of the numbers from 0
 */
record DoorOrders(int documents) {
  static final int RANGE = 100;
  static final int TEN = 10;
  static final int BULK = 100;
  static final int LOAD_BATCH = 1000;

  private static final int STATUSES = 100;
  private static final int CUSTOMERS = 10_000;
  private static final long FIRST_MILLIS = 1_700_000_000_000L;

  /** Amount of a stored order. */
  long amount(int number) {
    return number * 7919L % documents;
  }

  /** Id of any stored order. */
  String any(Random random) {
    return Workload.id(random.nextInt(documents));
  }

  /** First amount of a range of this length that lies within the stored orders. */
  long from(Random random, int length) {
    return random.nextInt(documents - length);
  }

  /** Number of groups by status. */
  int groups() {
    return Math.min(STATUSES, documents);
  }

  static String status(long number) {
    return "status-" + number % STATUSES;
  }

  static String customer(long number) {
    return "customer-" + number % CUSTOMERS;
  }

  static String anyCustomer(Random random) {
    return customer(random.nextInt(CUSTOMERS));
  }

  static long millis(long number) {
    return FIRST_MILLIS + number;
  }

  /** The fields of an order except its id, as JSON. */
  static String json(long number, long amount) {
    return String.join(
        "",
        "{\"status\":\"",
        status(number),
        "\",\"amount\":",
        Long.toString(amount),
        ",\"visits\":0,\"customer\":\"",
        customer(number),
        "\",\"at\":",
        Long.toString(millis(number)),
        ",\"note\":\"",
        Workload.note(),
        "\"}");
  }

  static void expect(long wanted, long found) {
    if (wanted != found) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "expected %d, found %d", wanted, found));
    }
  }
}
