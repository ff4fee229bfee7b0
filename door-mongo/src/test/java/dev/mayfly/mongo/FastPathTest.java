package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.mongo.wire.Message;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finds that are tried on the event loop. */
final class FastPathTest {
  private static boolean isTried(String rest) {
    return FastPath.is(
        Message.decode(Frames.msg(1, 0, "{\"find\":\"c\",\"$db\":\"d\"," + rest + "}")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"filter\":{\"_id\":1}",
        "\"filter\":{\"n\":1}",
        "\"filter\":{\"n\":{\"$gte\":1,\"$lt\":5},\"m\":\"x\"}",
        "\"filter\":{\"$and\":[{\"n\":{\"$gte\":1}},{\"n\":{\"$lt\":5}}]}",
        "\"filter\":{\"n\":1},\"sort\":{\"n\":-1},\"limit\":3,\"projection\":{\"n\":1,\"_id\":0}"
      })
  void tried(String rest) {
    assertThat(isTried(rest)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"filter\":{}",
        "\"filter\":{\"n\":{\"$regex\":\"a\"}}",
        "\"filter\":{\"n\":{\"$in\":[1]}}",
        "\"filter\":{\"n\":{}}",
        "\"filter\":{\"n\":null}",
        "\"filter\":{\"$or\":[{\"n\":1}]}",
        "\"filter\":{\"$and\":[{\"n\":1},{\"n\":{\"$regex\":\"a\"}}]}",
        "\"filter\":{\"$and\":[1]}",
        "\"filter\":{\"$and\":1}",
        "\"filter\":{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1}",
        "\"filter\":{\"$expr\":true}",
        "\"filter\":{\"n\":1},\"collation\":{\"locale\":\"de\"}",
        "\"filter\":{\"n\":1},\"projection\":{\"n\":{\"$slice\":1}}",
        "\"filter\":{\"n\":1},\"autocommit\":false"
      })
  void notTried(String rest) {
    assertThat(isTried(rest)).isFalse();
  }
}
