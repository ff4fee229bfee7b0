package dev.mayfly.cosmos.query;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.query.QueryMemory;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What values may take that a query makes on its way. */
final class MemoryTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT VALUE ARRAY_LENGTH(ARRAY(SELECT VALUE ARRAY_CONCAT(c.l,c.l,c.l,c.l) FROM x IN c.l))"
            + " FROM c",
        "SELECT VALUE ARRAY_LENGTH(ARRAY(SELECT VALUE [x, y, c.l] FROM x IN c.l JOIN y IN c.l))"
            + " FROM c",
        "SELECT VALUE (SELECT VALUE COUNT(1) FROM (SELECT DISTINCT x, y, c.l FROM x IN c.l"
            + " JOIN y IN c.l)) FROM c",
        "SELECT VALUE (SELECT VALUE COUNT(1) FROM (SELECT x, y, COUNT(1) AS n FROM x IN c.l"
            + " JOIN y IN c.l GROUP BY x, y)) FROM c"
      })
  void queriesBeyondTheMemoryLimitFail(String sql) {
    String many = IntStream.range(0, 3000).mapToObj(Integer::toString).collect(joining(","));
    try (Shop shop = new Shop().with("{'id':'1','p':'a','l':[" + many + "]}")) {
      assertThatThrownBy(() -> shop.all(sql))
          .isInstanceOfSatisfying(
              CosmosException.class,
              refusal -> assertThat(refusal.text()).contains("maximum allowed memory usage"));
      assertThat(QueryMemory.PROCESS.taken()).isZero();
    }
  }
}
