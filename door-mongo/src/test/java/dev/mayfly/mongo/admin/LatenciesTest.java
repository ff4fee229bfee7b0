package dev.mayfly.mongo.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LatenciesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 0",
    "2, 2",
    "3, 2",
    "4, 4",
    "1023, 512",
    "1024, 1024",
    "2047, 1024",
    "2048, 2048",
    "3071, 2048",
    "3072, 3072",
    "4095, 3072",
    "4096, 4096",
    "6143, 4096",
    "6144, 6144",
    "8191, 6144",
    "8192, 8192",
    "1000000, 786432",
    "9223372036854775807, 1610612736"
  })
  void latencyIsCountedInItsBucket(long micros, long lowerBound) {
    Latencies latencies = new Latencies();
    latencies.add(micros);
    DocumentWriter to = Document.writer();
    Latencies.write(List.of(latencies, new Latencies()), to);
    Fields fields = to.build().field("histogram").asDocument().fields();
    assertThat(fields.next()).isTrue();
    assertThat(fields.value().asDocument().field("micros").asLong()).isEqualTo(lowerBound);
    assertThat(fields.value().asDocument().field("count").asLong()).isOne();
    assertThat(fields.next()).isFalse();
  }
}
