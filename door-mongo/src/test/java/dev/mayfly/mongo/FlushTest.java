package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.mongo.testing.Frames;
import dev.mayfly.mongo.testing.RawClient;
import dev.mayfly.store.CrossShard;
import dev.mayfly.store.ForwardingShard;
import dev.mayfly.store.ForwardingStore;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Shard;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.StoreException.Reason;
import dev.mayfly.value.Document;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Durable writes of clients that share an event loop, on a disk that the test flushes. */
final class FlushTest {
  private static final int CLIENTS = 20;

  /** Store whose commits are on disk when the test says so. */
  private static final class TestDisk extends ForwardingStore {
    private final Set<Runnable> wakes = ConcurrentHashMap.newKeySet();
    private final Semaphore waiting = new Semaphore(0);
    private volatile long synced;
    private volatile @Nullable StoreException failure;

    TestDisk() {
      super(new MemoryStore());
    }

    @Override
    public Shard own(int shard) {
      return new TestShard(super.own(shard));
    }

    @Override
    public Optional<CrossShard> together() {
      return Optional.empty();
    }

    /** Ends a flush of all commits; returns how many event loops it has woken. */
    int flush() {
      synced = Long.MAX_VALUE;
      return wake();
    }

    void failFlush() {
      failure = new StoreException(Reason.IO, "no disk");
      wake();
    }

    private int wake() {
      List<Runnable> woken = List.copyOf(wakes);
      wakes.clear();
      woken.forEach(Runnable::run);
      return woken.size();
    }

    private final class TestShard extends ForwardingShard {
      TestShard(Shard shard) {
        super(shard);
      }

      @Override
      public boolean trySync(long ticket) {
        StoreException failed = failure;
        if (failed != null) {
          throw failed;
        }
        return synced >= ticket;
      }

      @Override
      public void wakeAfterFlush(long ticket, Runnable wake) {
        wakes.add(wake);
        waiting.release();
      }
    }
  }

  private final MongoSettings settings =
      MongoSettings.standard(() -> 0).withAddress("127.0.0.1", 0).withLoops(1);
  private TestDisk disk;
  private Engine engine;
  private MongoDoor door;

  @BeforeEach
  void open() throws IOException {
    disk = new TestDisk();
    engine =
        LocalEngine.open(
            disk, () -> 1_700_000_000_123L, EngineSettings.standard(() -> 0).withBackground(false));
    door = MongoDoor.open(engine, settings);
    try (RawClient client = new RawClient(door.address())) {
      client.call("{\"create\":\"things\",\"$db\":\"d\"}");
    }
  }

  @AfterEach
  void close() {
    disk.flush();
    door.close();
    engine.close();
    disk.close();
  }

  @Test
  void oneFlushReleasesAllRepliesWhileTheLoopServesOthers() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    try (RawClient other = new RawClient(door.address())) {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(new RawClient(door.address()));
        clients.get(i).send(Frames.msg(1, 0, insert(i)));
        disk.waiting.acquire();
      }
      // committed, visible, and not acknowledged
      assertThat(other.call(find(CLIENTS - 1))).asString().contains("\"n\":0");
      assertThat(clients).noneMatch(RawClient::hasAnswer);

      assertThat(disk.flush()).isOne();
      for (RawClient client : clients) {
        assertThat(client.answer().body().field("n").asInt()).isOne();
      }
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  @Test
  void whatAClientSendsWhileItsWriteWaitsIsAnsweredAfterIt() throws Exception {
    try (RawClient client = new RawClient(door.address())) {
      client.send(Frames.msg(1, 0, insert(1)));
      disk.waiting.acquire();
      client.send(Frames.msg(2, 0, find(1)));
      client.send(Frames.msg(3, 0, insert(2)));
      try (RawClient other = new RawClient(door.address())) {
        assertThat(other.call(find(2))).asString().doesNotContain("\"n\":0");
      }
      disk.flush();
      for (int i = 1; i <= 3; i++) {
        assertThat(client.answer().responseTo()).isEqualTo(i);
      }
    }
  }

  @Test
  void aFailedFlushIsReportedToEveryWriteThatWaitsForIt() throws Exception {
    try (RawClient first = new RawClient(door.address());
        RawClient second = new RawClient(door.address())) {
      first.send(Frames.msg(1, 0, insert(1)));
      second.send(Frames.msg(1, 0, insert(2)));
      disk.waiting.acquire(2);
      disk.failFlush();
      for (RawClient client : List.of(first, second)) {
        Document reply = client.answer().body();
        assertThat(reply).asString().contains("may be lost in a power failure");
      }
    }
  }

  @Test
  void aClientThatLeavesWhileItsWriteWaitsDisturbsNobody() throws Exception {
    try (RawClient gone = new RawClient(door.address())) {
      gone.send(Frames.msg(1, 0, insert(1)));
      disk.waiting.acquire();
    }
    try (RawClient client = new RawClient(door.address())) {
      client.send(Frames.msg(1, 0, insert(2)));
      disk.waiting.acquire();
      disk.flush();
      assertThat(client.answer().body().field("n").asInt()).isOne();
      assertThat(client.call(find(1))).asString().contains("\"n\":0");
    }
  }

  @Test
  void aWriteThatWaitsIsAnsweredBeforeTheServerCloses() throws Exception {
    try (RawClient client = new RawClient(door.address())) {
      client.send(Frames.msg(1, 0, insert(1)));
      disk.waiting.acquire();
      Thread closing = Thread.ofPlatform().start(door::close);
      disk.flush();
      assertThat(client.answer().body().field("n").asInt()).isOne();
      closing.join();
    }
  }

  private static String insert(int id) {
    return "{\"insert\":\"things\",\"$db\":\"d\",\"writeConcern\":{\"j\":true},"
        + "\"documents\":[{\"_id\":"
        + id
        + ",\"n\":0}]}";
  }

  private static String find(int id) {
    return "{\"find\":\"things\",\"$db\":\"d\",\"filter\":{\"_id\":" + id + "}}";
  }
}
