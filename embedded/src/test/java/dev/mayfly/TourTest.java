package dev.mayfly;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TourTest {
  private final List<String> lines = new ArrayList<>();
  private final Tour tour = new Tour(lines::add);

  @Test
  void aDocumentIsVisibleUntilItsDeadlineThenInTheFeed() throws Exception {
    tour.aDocumentExpiresOnTime();
    assertThat(lines)
        .containsExactly(
            "",
            "In memory, on a clock moved by hand: sessions live for 30 minutes",
            "  12:00:00.000  insert    s-1 of ada, deadline 12:30:00.000",
            "  12:00:00.000  forecast  1 document due within the hour",
            "  12:29:59.999  read      {\"id\":\"s-1\",\"user\":\"ada\"}",
            "  12:30:00.000  read      nothing",
            "  12:30:00.000  count     0 documents",
            "  12:30:00.000  feed      EXPIRE s-1, deadline 12:30:00.000");
  }

  @Test
  void whatIfCountsAlterExpiresUndoRestores() {
    tour.aRuleIsTriedAndUndone();
    assertThat(lines)
        .containsExactly(
            "",
            "What if sessions lived for 10 minutes only?",
            "  12:00:00.000  insert    3 documents that live for 30 minutes",
            "  12:20:00.000  what if   3 documents would expire at once",
            "  12:20:00.000  count     3 documents: a what-if changes nothing",
            "  12:20:00.000  alter     0 documents left, by one write to the catalog",
            "  12:20:00.000  undo      3 documents: the grace is an hour");
  }

  @Test
  void theSystemClockExpiresDocuments(@TempDir Path directory) throws Exception {
    tour.theRealClockDoesTheSame(directory);
    assertThat(lines.stream().skip(2).map(line -> line.substring(16)))
        .satisfiesExactly(
            line -> assertThat(line).startsWith("insert    s-1 of ada, deadline "),
            line -> assertThat(line).isEqualTo("read      {\"id\":\"s-1\",\"user\":\"ada\"}"),
            line -> assertThat(line).isEqualTo("read      still there"),
            line -> assertThat(line).isEqualTo("read      nothing"),
            line -> assertThat(line).isEqualTo("count     0 documents"),
            line -> assertThat(line).startsWith("feed      EXPIRE s-1, deadline "));
  }
}
