package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.Mayfly;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.store.Space;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Without a server, commands open the directory. */
final class CommandsOnADirectoryTest extends CommandsContract {
  @TempDir private Path data;

  @BeforeEach
  void make() {
    Mayfly.open(data).close();
  }

  @Override
  protected List<String> target() {
    return List.of("--data", data.toString());
  }

  @Override
  protected void prepare(Consumer<Engine> step) {
    try (Mayfly mayfly = Mayfly.open(data)) {
      step.accept(mayfly.engine());
    }
  }

  @Test
  void aMissingDirectoryIsReported() {
    CommandLineRun run = CommandLineRun.of("collections", "--data", data + "-not");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("There is no data in", "mayfly serve");
  }

  @Test
  void checkAcceptsASoundDirectory() {
    prepare(
        engine -> {
          var things = engine.create(new Namespace("db", "things"), CollectionSpec.mongo());
          things.insert(Document.writer().put("_id", 1).build());
        });
    CommandLineRun run = CommandLineRun.of("check", "--data", data.toString());
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("db.things", "Nothing is wrong.");
    CommandLineRun json = CommandLineRun.of("--json", "check", "--data", data.toString());
    assertThat(json.out()).contains("\"documents\":1", "\"wrong\":0");
    assertThat(CommandLineRun.of("check", "--data", data + "-not").err()).contains("no data");
  }

  @Test
  void readOnlyCommandsDoNotChangeTheDirectory() throws IOException {
    prepare(
        engine -> {
          var things = engine.create(new Namespace("db", "things"), CollectionSpec.mongo());
          things.insert(Document.writer().put("_id", 1).build());
        });
    String before = fingerprint(data);
    for (List<String> command :
        List.of(
            List.of("collections"),
            List.of("check"),
            List.of("users", "list"),
            List.of("ttl", "show", "db.things"),
            List.of("ttl", "explain", "db.things", "1"),
            List.of("ttl", "what-if", "db.things", "--after", "1h"),
            List.of("export", "db.things", data + "-export"))) {
      List<String> line = new ArrayList<>(command);
      line.addAll(target());
      assertThat(CommandLineRun.of(line.toArray(String[]::new)).exit()).as("%s", line).isZero();
      assertThat(fingerprint(data)).as("%s", line).isEqualTo(before);
    }
  }

  @Test
  void aForeignDirectoryIsNotChanged(@TempDir Path other) throws IOException {
    Files.writeString(other.resolve("000123.log"), "mine");
    String before = fingerprint(other);
    for (String command : List.of("collections", "check", "serve")) {
      CommandLineRun run = CommandLineRun.of(command, "--data", other.toString());
      assertThat(run.exit()).as(command).isEqualTo(1);
      assertThat(run.err()).as(command).contains("no data");
      assertThat(fingerprint(other)).as(command).isEqualTo(before);
    }
  }

  @Test
  void aDamagedLogIsRepairedOnlyOnRequest() throws IOException {
    prepare(
        engine -> {
          var things = engine.create(new Namespace("db", "things"), CollectionSpec.mongo());
          for (int i = 0; i < 500; i++) {
            things.insert(Document.writer().put("_id", i).put("text", "x".repeat(200)).build());
          }
        });
    Path log = youngest(".log");
    overwrite(log, 60_000, 300);
    String before = fingerprint(data);

    CommandLineRun check = CommandLineRun.of("check", "--data", data.toString());
    assertThat(check.exit()).isEqualTo(1);
    assertThat(check.out()).contains("Damaged:", log.getFileName().toString(), "--repair");
    CommandLineRun serve = CommandLineRun.of("serve", "--data", data.toString());
    assertThat(serve.exit()).isEqualTo(1);
    assertThat(serve.err()).contains(log.getFileName().toString());
    assertThat(fingerprint(data)).isEqualTo(before);

    CommandLineRun repair = CommandLineRun.of("check", "--repair", "--data", data.toString());
    assertThat(repair.exit()).isZero();
    assertThat(repair.out()).contains("lost", "damaged-logs");
    assertThat(data.resolve("damaged-logs").resolve(log.getFileName())).exists();
    CommandLineRun after = CommandLineRun.of("check", "--data", data.toString());
    assertThat(after.exit()).isZero();
    assertThat(after.out()).contains("Nothing is wrong.");
  }

  @Test
  void damageInTheFeedIsRepairedByTruncation() throws IOException {
    // the catalog log, in a separate file
    prepare(engine -> engine.create(new Namespace("db", "things"), CollectionSpec.mongo()));
    compact();
    prepare(
        engine -> {
          Random random = new Random(1);
          for (int i = 0; i < 2_000; i++) {
            // Long ids, so that the feed has many blocks. A start reads the first one, if the file
            // contains the catalog log, too, and the last one.
            byte[] noise = new byte[100];
            random.nextBytes(noise);
            engine
                .collection(new Namespace("db", "things"))
                .insert(Document.writer().put("_id", HexFormat.of().formatHex(noise)).build());
          }
        });
    compact();
    Path table = tableOf(Space.QUEUES);
    assertThat(Files.size(table)).isGreaterThan(64 * 1024);
    overwrite(table, (int) Files.size(table) / 2, 64);

    CommandLineRun check = CommandLineRun.of("check", "--data", data.toString());
    assertThat(check.err()).isEmpty();
    assertThat(check.exit()).isEqualTo(1);
    assertThat(check.out())
        .contains(table.getFileName().toString(), "changes of db.things", "checksum");
    CommandLineRun repair = CommandLineRun.of("check", "--repair", "--data", data.toString());
    assertThat(repair.out()).contains("feed was truncated");
    assertThat(repair.exit()).isZero();
    assertThat(CommandLineRun.of("check", "--data", data.toString()).out())
        .contains("2,000", "Nothing is wrong.");
  }

  @Test
  void damageInDocumentsIsReported() throws IOException {
    prepare(
        engine -> {
          var things = engine.create(new Namespace("db", "things"), CollectionSpec.mongo());
          for (int i = 0; i < 2_000; i++) {
            things.insert(Document.writer().put("_id", i).put("text", "y" + i).build());
          }
        });
    compact();
    overwrite(tableOf(Space.RECORDS), 100, 64);

    CommandLineRun check = CommandLineRun.of("check", "--data", data.toString());
    assertThat(check.exit()).isEqualTo(1);
    assertThat(check.out()).contains("documents of db.things", "restore a backup");
  }

  @Test
  void dataAndBackupsAreReadableOnlyByTheirOwner(@TempDir Path folder) throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    Mayfly.open(open).close();
    Path backup = folder.resolve("backup");
    Path restored = folder.resolve("restored");
    assertThat(CommandLineRun.of("backup", backup.toString(), "--data", open.toString()).exit())
        .isZero();
    assertThat(
            CommandLineRun.of("restore", backup.toString(), "--data", restored.toString()).exit())
        .isZero();
    for (Path one : List.of(open, backup, restored)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(one)))
          .as("%s", one)
          .isEqualTo("rwx------");
    }
    assertThat(CommandLineRun.of("backup", open + "/inside", "--data", open.toString()).err())
        .contains("in the directory of the data");
  }

  @Test
  void aFailedRestoreLeavesNoFiles(@TempDir Path folder) throws IOException {
    prepare(engine -> engine.create(new Namespace("db", "things"), CollectionSpec.mongo()));
    Path backup = folder.resolve("backup");
    Path restored = folder.resolve("restored");
    assertThat(CommandLineRun.of("backup", backup.toString(), "--data", data.toString()).exit())
        .isZero();
    Path lost;
    try (Stream<Path> files = Files.list(backup)) {
      lost = files.filter(file -> file.toString().endsWith(".sst")).findFirst().orElseThrow();
    }
    Files.delete(lost);

    CommandLineRun run = CommandLineRun.of("restore", backup.toString(), "--data", "" + restored);
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains(backup.toString(), lost.getFileName() + " is missing");
    assertThat(restored).doesNotExist();
  }

  /** Flushes all data to files below level 0. */
  private void compact() {
    try (RocksStore store = RocksStore.open(data, RocksSettings.defaults())) {
      for (int shard = 0; shard < 10; shard++) {
        for (Space space : Space.values()) {
          store.reclaim(shard, space);
        }
      }
    }
  }

  private Path tableOf(Space space) {
    try (RocksStore store = RocksStore.view(data, RocksSettings.defaults())) {
      return store.tables().stream()
          .filter(table -> table.space().equals(Optional.of(space)))
          .max(Comparator.comparingLong(table -> data.resolve(table.name()).toFile().length()))
          .map(table -> data.resolve(table.name()))
          .orElseThrow();
    }
  }

  private Path youngest(String suffix) throws IOException {
    try (Stream<Path> files = Files.list(data)) {
      return files
          .filter(file -> file.toString().endsWith(suffix))
          .max(Comparator.comparing(Path::getFileName))
          .orElseThrow();
    }
  }

  private static void overwrite(Path file, int at, int count) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int i = at; i < at + count; i++) {
      bytes[i] ^= 0x55;
    }
    Files.write(file, bytes);
  }

  /** Names, sizes, times and contents of all files. */
  private static String fingerprint(Path directory) throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted().toList()) {
        text.append(file).append(' ').append(Files.getLastModifiedTime(file)).append(' ');
        text.append(Files.isDirectory(file) ? 0 : Arrays.hashCode(Files.readAllBytes(file)));
        text.append('\n');
      }
    }
    return text.toString();
  }
}
