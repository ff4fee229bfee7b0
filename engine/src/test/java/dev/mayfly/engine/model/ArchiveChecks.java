package dev.mayfly.engine.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.engine.archive.OnExpire.FileFormat;
import dev.mayfly.engine.archive.OnExpire.Target;
import dev.mayfly.engine.deliver.ArchiveFiles;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.value.Document;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Compares the archive files of a collection with the documents that have expired in the model. */
final class ArchiveChecks {
  private static final String NAME = "expired";

  private final Path root;
  private final OnExpire action;

  /** Images of expired documents by key, in order. */
  private final Map<ModelKey, List<Document>> expired = new HashMap<>();

  /** Whether power was lost: expiries may have been lost after their delivery, and are repeated. */
  private boolean repeats;

  /**
   * @param root the directory of the archive
   * @param random draws the action on expiry
   */
  ArchiveChecks(Path root, Random random) {
    this.root = root;
    FileFormat format = random.nextBoolean() ? FileFormat.BSON : FileFormat.NDJSON;
    long bytes = random.nextBoolean() ? 1024 : 1 << 20;
    this.action =
        random.nextInt(3) == 0
            ? new OnExpire(new Target.Files(NAME, format, random.nextBoolean(), bytes, 20), false)
            : OnExpire.NOTHING;
  }

  CollectionSpec applyTo(CollectionSpec spec) {
    return spec.withOnExpire(action);
  }

  ArchiveSettings settings() {
    return ArchiveSettings.STANDARD.withDirectory(root);
  }

  void expired(ModelKey key, Document image) {
    expired.computeIfAbsent(key, _ -> new ArrayList<>()).add(image);
  }

  void powerLost() {
    repeats = true;
    expired.clear();
  }

  /** Checks that nothing is in the files that has not expired, in the order of each document. */
  void check(LocalCollection collection) {
    if (!action.delivers() || repeats) {
      return;
    }
    delivered(collection)
        .forEach(
            (key, images) ->
                assertThat(expired.getOrDefault(key, List.of()))
                    .as("archived images of %s", key)
                    .startsWith(images.toArray(Document[]::new)));
  }

  /** Checks that all that has expired is in the files. */
  void checkComplete(LocalCollection collection) {
    if (!action.delivers()) {
      return;
    }
    Map<ModelKey, List<Document>> delivered = delivered(collection);
    ArchiveStatus status = collection.expiry().archiveStatus();
    assertThat(status.waiting()).as("%s", status).isZero();
    assertThat(status.waitingBytes()).isZero();
    if (repeats) {
      expired.forEach(
          (key, images) -> assertThat(delivered.get(key)).as("%s", key).containsAll(images));
    } else {
      assertThat(delivered).isEqualTo(expired);
      assertThat(status.delivered())
          .isEqualTo(expired.values().stream().mapToInt(List::size).sum());
    }
  }

  private Map<ModelKey, List<Document>> delivered(LocalCollection collection) {
    CollectionSpec spec = collection.spec();
    Map<ModelKey, List<Document>> delivered = new HashMap<>();
    try {
      for (Document image : ArchiveFiles.read(root.resolve(NAME))) {
        DocumentKey key =
            new DocumentKey(
                spec.partitionKey().isEmpty()
                    ? List.of()
                    : DocumentKey.partition(image, spec.partitionKey()),
                image.at(spec.dialect().id()));
        delivered.computeIfAbsent(ModelKey.of(key), _ -> new ArrayList<>()).add(image);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return delivered;
  }
}
