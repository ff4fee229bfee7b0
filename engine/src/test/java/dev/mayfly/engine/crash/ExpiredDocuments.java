package dev.mayfly.engine.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.engine.deliver.ArchiveFiles;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The expired documents of {@link KilledWriter}, and where they must have arrived after a kill. */
final class ExpiredDocuments {
  private final Path data;
  private final ExpiryReceiver receiver;
  private final OnExpire action;

  /**
   * @param number selects the kind of target
   */
  ExpiredDocuments(Path data, ExpiryReceiver receiver, int number) {
    this.data = data;
    this.receiver = receiver;
    this.action =
        switch (number % 3) {
          case 0 -> OnExpire.files("things");
          case 1 -> OnExpire.post(receiver.address());
          default -> OnExpire.moveTo(KilledWriter.PAST.database(), KilledWriter.PAST.collection());
        };
  }

  OnExpire action() {
    return action;
  }

  EngineSettings settings(ManualClock clock) {
    return KilledWriter.settings(clock, data, action);
  }

  /**
   * Checks that everything that has expired was delivered, in the order of each document: exactly
   * once to files, and after the removal of repetitions to the receiver.
   */
  void check(LocalEngine engine, LocalCollection things, List<Change> feed) {
    int attempts = 0;
    while (things.expiry().archiveStatus().waiting() > 0) {
      engine.work();
      assertThat(attempts++).as("attempts to deliver").isLessThan(10_000);
    }
    Map<Value, List<Document>> expected = new HashMap<>();
    int count = 0;
    for (Change change : feed) {
      if (change.kind() == Kind.EXPIRE) {
        add(expected, change.before());
        count++;
      }
    }
    assertThat(things.expiry().archiveStatus().delivered()).isEqualTo(count);
    switch (action.target()) {
      case OnExpire.Target.Files _ -> assertThat(inFiles()).isEqualTo(expected);
      case OnExpire.Target.Post _ -> {
        Map<Value, List<Document>> received = new HashMap<>();
        for (Document line : receiver.lines(things.uuid().toString())) {
          add(received, line.field("document").asDocument());
        }
        assertThat(received).isEqualTo(expected);
      }
      case OnExpire.Target.Move _ -> {
        LocalCollection past = engine.collection(KilledWriter.PAST);
        expected.forEach(
            (id, images) ->
                assertThat(past.read(new DocumentKey(List.of(), id)).orElseThrow().document())
                    .isEqualTo(images.getLast()));
        assertThat(past.usage().documents()).isEqualTo(expected.size());
      }
      case OnExpire.Target.Nothing _ -> throw new AssertionError("no target");
    }
  }

  private Map<Value, List<Document>> inFiles() {
    Map<Value, List<Document>> found = new HashMap<>();
    try {
      Path files = data.resolveSibling(data.getFileName() + "-archive").resolve("things");
      ArchiveFiles.read(files).forEach(document -> add(found, document));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return found;
  }

  private static void add(Map<Value, List<Document>> to, Document document) {
    to.computeIfAbsent(document.field("_id"), _ -> new ArrayList<>()).add(document);
  }
}
