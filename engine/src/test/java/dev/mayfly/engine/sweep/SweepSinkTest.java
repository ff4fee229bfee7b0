package dev.mayfly.engine.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SweepSinkTest {
  private static final int DOCUMENTS = 25;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final LocalEngine engine =
      LocalEngine.open(
          new MemoryStore(), clock, EngineSettings.standard(clock::now).withBackground(false));
  private final LocalCollection things =
      engine.create(new Namespace("db", "things"), CollectionSpec.cosmos("p").withDefaultTtl(10));
  private final ShardOwner owner = things.owners().getFirst();
  private final Archive archive = new Archive();
  private final ShardSweep sweep =
      new ShardSweep(owner, engine.dropsInCompaction(), List.of(new FeedSink(), archive));

  @BeforeEach
  void expire() {
    for (int i = 0; i < DOCUMENTS; i++) {
      things.insert(
          Document.writer().put("id", Integer.toString(i)).put("p", "x").put("n", i).build());
    }
    clock.advance(Duration.ofSeconds(11));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void sinksReceiveEveryExpiredDocumentOnce() {
    while (sweep.slice(clock.now(), clock.now(), 10).more()) {
      // the next slice
    }
    assertThat(archive.delivered).hasSize(DOCUMENTS);
    assertThat(archive.delivered.stream().map(document -> document.field("n").asInt()).distinct())
        .hasSize(DOCUMENTS);
    assertThat(archive.largest).isEqualTo(10);
    assertThat(expiriesInFeed()).isEqualTo(DOCUMENTS);
  }

  @Test
  void sliceRejectedByASinkIsNotRemoved() {
    archive.full = true;
    assertThatThrownBy(() -> sweep.slice(clock.now(), clock.now(), 10))
        .isInstanceOf(IllegalStateException.class);
    assertThat(expiriesInFeed()).isZero();
    assertThat(things.expiry().backlog().documents()).isEqualTo(DOCUMENTS);
    archive.full = false;
    assertThat(sweep.slice(clock.now(), clock.now(), 10).swept().documents()).isEqualTo(10);
    assertThat(archive.delivered).hasSize(10);
    assertThat(expiriesInFeed()).isEqualTo(10);
  }

  private long expiriesInFeed() {
    return things.feeds().getFirst().read(FeedReader.BEGINNING, 10 * DOCUMENTS).stream()
        .filter(change -> change.kind() == Change.Kind.EXPIRE)
        .count();
  }

  /** Keeps expired documents in memory. */
  private static final class Archive implements SweepSink {
    private final List<Document> delivered = new ArrayList<>();
    private int largest;
    private boolean full;

    @Override
    public Slice begin(CompiledCollection compiled) {
      List<Document> documents = new ArrayList<>();
      return new Slice() {
        @Override
        public boolean needsDocuments() {
          return true;
        }

        @Override
        public void add(byte[] primaryKey, byte[] spelledKey, long deadline, Document document) {
          documents.add(document);
        }

        @Override
        public long bytes() {
          return documents.stream().mapToLong(Document::length).sum();
        }

        @Override
        public void deliver(WriteGroup group) {
          if (full) {
            throw new IllegalStateException("the archive is full");
          }
          delivered.addAll(documents);
          largest = Math.max(largest, documents.size());
        }
      };
    }
  }
}
