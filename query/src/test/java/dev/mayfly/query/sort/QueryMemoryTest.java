package dev.mayfly.query.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.value.Document;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What all queries of a process may keep together. */
final class QueryMemoryTest {
  private static final long MEBIBYTE = 1 << 20;

  private final QueryMemory shared = new QueryMemory(4 * MEBIBYTE);

  @Test
  void whoGetsNoMemoryGoesOnInFilesOrFailsAndOthersGoOn(@TempDir Path directory) {
    Workspace files = Workspace.spilling(100 * MEBIBYTE, directory).sharing(shared);
    Workspace memory = Workspace.memory(100 * MEBIBYTE).sharing(shared);
    try (Sorter first = new Sorter(memory, Long.MAX_VALUE);
        Sorter second = new Sorter(files, Long.MAX_VALUE);
        Sorter third = new Sorter(memory, Long.MAX_VALUE)) {
      fill(first, 3);
      fill(second, 3);
      assertThatThrownBy(() -> fill(third, 3)).isInstanceOf(QueryException.class);
      assertThat(count(first)).isEqualTo(3 * 1024);
      assertThat(count(second)).isEqualTo(3 * 1024);
    }
    assertThat(shared.taken()).isZero();
  }

  @Test
  void aHolderHasNoMoreThanIsItsOwnNorThanIsLeft() {
    try (QueryMemory.Holding one = shared.holding(3 * MEBIBYTE);
        QueryMemory.Holding other = shared.holding(3 * MEBIBYTE)) {
      assertThat(one.hold(3 * MEBIBYTE + 1)).isFalse();
      assertThat(one.hold(3 * MEBIBYTE)).isTrue();
      assertThat(other.hold(2 * MEBIBYTE)).isFalse();
      assertThat(other.hold(MEBIBYTE)).isTrue();
      one.hold(MEBIBYTE);
      assertThat(other.hold(2 * MEBIBYTE)).isTrue();
    }
    assertThat(shared.taken()).isZero();
  }

  private static void fill(Sorter sorter, int mebibytes) {
    String kilobyte = "x".repeat(900);
    for (int i = 0; i < mebibytes * 1024; i++) {
      sorter.add(new byte[] {(byte) i}, Document.writer().put("x", kilobyte).build());
    }
  }

  private static int count(Sorter sorter) {
    sorter.finish();
    int count = 0;
    while (sorter.next()) {
      count++;
    }
    return count;
  }
}
