package dev.mayfly.cosmos.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mayfly.cosmos.rest.CosmosException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Queries that would take minutes stop at the time limit of a page, wherever they spend their time.
 *
 * <p>Time is that of the processor in the thread that runs the query, and ten times as fast: how
 * busy the machine is does not matter.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class InterruptTest {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** Five seconds on a clock that is ten times as fast. */
  private static final long LIMIT_MILLIS = 500;

  /**
   * Processor time that a query may take beyond its limit. 100 ms are usual; code that is not
   * compiled yet takes longer. Without an end these queries take minutes.
   */
  private static final long LATE_MILLIS = 2000;

  private static final int ELEMENTS = 3000;
  private static final int EDGES = 20_000;

  private final Shop shop = new Shop().timedBy(() -> 10 * cpuMillis());

  private static long cpuMillis() {
    return TimeUnit.NANOSECONDS.toMillis(THREADS.getCurrentThreadCpuTime());
  }

  @BeforeAll
  void fill() {
    shop.with(
        "{'id':'1','p':'a','l':["
            + listed(ELEMENTS, Integer::toString, ",")
            + "],'t':'"
            + "a".repeat(1_000_000)
            + "','low':"
            + zigzag(0)
            + ",'high':"
            + zigzag(0.2)
            + "}");
    // the first query takes longer to begin
    shop.page("SELECT VALUE x FROM c JOIN x IN c.l WHERE x < 0", null);
  }

  /** A line with many edges; another that begins higher lies beside it, and does not cross it. */
  private static String zigzag(double latitude) {
    return "{'type':'LineString','coordinates':["
        + listed(EDGES, i -> "[" + i * 0.001 + "," + (latitude + i % 2) + "]", ",")
        + "]}";
  }

  @AfterAll
  void close() {
    shop.close();
  }

  static List<String> bombs() {
    String three = "FROM c JOIN x IN c.l JOIN y IN c.l JOIN z IN c.l";
    String range = "(SELECT VALUE y + x FROM y IN c.l)";
    return List.of(
        "SELECT VALUE 1 " + three + " WHERE x + y + z < 0",
        "SELECT COUNT(1) AS n " + three,
        "SELECT x, COUNT(1) AS n " + three + " GROUP BY x",
        "SELECT DISTINCT VALUE x " + three + " WHERE x + y + z < 0",
        "SELECT VALUE EXISTS(SELECT VALUE 1 FROM x IN c.l JOIN y IN c.l JOIN z IN c.l"
            + " WHERE x + y + z < 0) FROM c",
        "SELECT VALUE (SELECT VALUE SUM(x + y + z) FROM x IN c.l JOIN y IN c.l JOIN z IN c.l)"
            + " FROM c",
        "SELECT VALUE ARRAY_LENGTH(ARRAY(SELECT VALUE ARRAY_LENGTH(SETUNION(c.l, ARRAY"
            + range
            + ")) FROM x IN c.l)) FROM c",
        "SELECT VALUE SUM(ARRAY_CONTAINS(c.l, -1 - x) ? 1 : 0) FROM c JOIN x IN c.l JOIN y IN c.l",
        "SELECT VALUE CONTAINS(c.t, CONCAT(LEFT(c.t, 500000), 'b')) FROM c",
        "SELECT VALUE CONTAINS(c.t, CONCAT(LEFT(c.t, 500000), 'b'), true) FROM c",
        "SELECT VALUE LASTINDEXOF(c.t, CONCAT(LEFT(c.t, 500000), 'b')) FROM c",
        "SELECT VALUE ST_INTERSECTS(c.low, c.high) FROM c",
        "SELECT VALUE ST_DISTANCE(c.low, c.high) FROM c",
        "SELECT VALUE c.t LIKE '" + "%a".repeat(200) + "%" + "a".repeat(2000) + "b%' FROM c",
        "SELECT VALUE (SELECT VALUE COUNT(1) FROM x IN c.l JOIN y IN c.l"
            + " WHERE RegexMatch(CONCAT(LEFT(c.t, 30), ToString(x + y)), '(a|aa)+$')) FROM c",
        "SELECT VALUE 1 FROM c JOIN x IN c.l JOIN y IN c.l WHERE "
            + listed(3000, i -> "x + y = -" + (i + 1), " OR "));
  }

  private static String listed(int count, IntFunction<String> value, String between) {
    return IntStream.range(0, count).mapToObj(value).collect(Collectors.joining(between));
  }

  @ParameterizedTest
  @MethodSource("bombs")
  void stopsAtTheTimeLimitOfAPage(String sql) {
    long began = cpuMillis();
    Throwable refused = catchThrowable(() -> shop.page(sql, null));
    long took = cpuMillis() - began;
    assertThat(refused)
        .isInstanceOf(CosmosException.class)
        .hasMessageContaining("exceeded the maximum allowed time");
    assertThat(took).isBetween(LIMIT_MILLIS - 1, LIMIT_MILLIS + LATE_MILLIS);
  }

  @Test
  void aJoinWithResultsEndsItsPageInTime() {
    String sql = "SELECT VALUE 1 FROM c JOIN x IN c.l JOIN y IN c.l JOIN z IN c.l WHERE x + y = z";
    long began = cpuMillis();
    List<String> results = shop.page(sql, null, "x-ms-max-item-count", "-1");
    assertThat(cpuMillis() - began).isLessThan(LIMIT_MILLIS + LATE_MILLIS);
    assertThat(results).isNotEmpty();
    assertThat(shop.continuation()).isNotNull();
  }

  @Test
  void manyAlternativesArePreparedInTime() {
    String sql = "SELECT VALUE 1 FROM c WHERE " + listed(30_000, i -> "c.x = " + i, " OR ");
    shop.timedBy(InterruptTest::cpuMillis);
    assertThat(shop.page(sql, null)).isEmpty();
    shop.timedBy(() -> 10 * cpuMillis());
  }
}
