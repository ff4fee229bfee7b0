package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.archive.ArchiveDirectory;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Contract of the commands, with and without a running server. */
abstract class CommandsContract {
  private static final String THINGS = "shop.things";
  private static final String PARENTS = "shop.parents";

  @TempDir protected Path directory;

  /** Options that select the data. */
  protected abstract List<String> target();

  /** Runs an action directly on the engine. */
  protected abstract void prepare(Consumer<Engine> step);

  protected final CommandLineRun run(String... arguments) {
    return CommandLineRun.of(
        Stream.concat(Stream.of(arguments), target().stream()).toArray(String[]::new));
  }

  private Document json(String... arguments) {
    CommandLineRun run =
        run(Stream.concat(Stream.of(arguments), Stream.of("--json")).toArray(String[]::new));
    assertThat(run).as(run.err()).extracting(CommandLineRun::exit).isEqualTo(0);
    return Json.parse(run.out(), Limits.COSMOS);
  }

  /** Imports documents with ids from 0. */
  private void fill(int documents) throws IOException {
    Path file = directory.resolve("fill.json");
    Files.write(file, IntStream.range(0, documents).mapToObj("{\"_id\": %d}"::formatted).toList());
    assertThat(json("import", THINGS, file.toString()).field("written").asLong())
        .isEqualTo(documents);
  }

  private long documents() {
    Fields all = json("collections").field("collections").asDocument().fields();
    while (all.next()) {
      Document one = all.value().asDocument();
      if (one.field("database").asString().equals("shop")) {
        return one.field("documents").asLong();
      }
    }
    return 0;
  }

  @Test
  void theClockIsShownAndConfirmed() {
    assertThat(run("clock", "show").out()).startsWith("It is 2").contains("confirmed.");
    assertThat(json("clock", "confirm").field("confirmed").asBoolean()).isTrue();
    assertThat(run("clock").exit()).isEqualTo(2);
  }

  @Test
  void collectionsAreListedWithSizesAndTtlRules() throws IOException {
    fill(3);
    assertThat(run("ttl", "set", THINGS, "--after", "1h").exit()).isZero();
    assertThat(documents()).isEqualTo(3);
    assertThat(run("collections").out())
        .contains("COLLECTION", THINGS, "1h since last write", "The lag of the sweep is");
  }

  @Test
  void ttlCommandsWhatIfSetShowForecastUndoOff() throws IOException {
    fill(3);
    assertThat(run("ttl", "set", THINGS, "--after", "7d", "--grace", "1h").out())
        .contains("Set; 0 documents");
    assertThat(run("ttl", "show", THINGS).out())
        .contains(THINGS + ": 7d since last write, grace 1h")
        .contains("Documents without a `ttl` expire 7 days after their last write. 3 documents")
        .contains("No rule expires 0 documents.", "Expired and not swept: 0.");
    assertThat(run("ttl", "explain", THINGS, "1").out())
        .startsWith("Expires at 2")
        .contains("by the rule default.");
    CommandLineRun missing = run("ttl", "explain", THINGS, "unknown");
    assertThat(missing.exit()).isEqualTo(1);
    assertThat(missing.err()).contains("shop.things has no document with the id unknown.");
    assertThat(missing.out()).isEmpty();
    CommandLineRun missingInJson = run("ttl", "explain", THINGS, "unknown", "--json");
    assertThat(missingInJson.exit()).isEqualTo(1);
    assertThat(missingInJson.out()).contains("\"absent\"");
    assertThat(run("ttl", "explain", THINGS, "{\"$oid\": \"x\"}").err())
        .contains("is not valid Extended JSON");
    assertThat(json("ttl", "what-if", THINGS, "--after", "1d").field("expired").asLong()).isZero();
    Document forecast = json("ttl", "forecast", THINGS, "--within", "1d,8d");
    assertThat(forecast.field("forecast").asDocument().field("1").asDocument().field("documents"))
        .extracting(value -> value.asLong())
        .isEqualTo(3L);
    assertThat(run("ttl", "forecast", THINGS).out()).contains("7d", "3", "\u2588", "default 3");
    assertThat(run("ttl", "off", THINGS).out()).contains("no document expires");
    assertThat(run("ttl", "show", THINGS).out()).contains(THINGS + ": grace 1h");
  }

  /** Prepares an empty collection with an index on {@code at}. */
  private void prepareIndexed() {
    prepare(
        engine -> {
          IndexSpec at = IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("at")));
          engine
              .create(new Namespace("shop", "things"), CollectionSpec.mongo().withIndex(at))
              .awaitBuilt("at_1");
        });
  }

  @Test
  void undoRestoresExpiredDocuments() throws IOException {
    prepareIndexed();
    Path file = directory.resolve("dated.json");
    Files.writeString(file, "{\"_id\": 1, \"at\": {\"$date\": \"2001-01-01T00:00:00Z\"}}\n");
    run("import", THINGS, file.toString());
    List<String> rule = List.of("ttl", "set", THINGS, "--index", "at_1", "--after", "1h");
    CommandLineRun guarded = run(with(rule, "--most", "0"));
    assertThat(guarded.exit()).isEqualTo(1);
    assertThat(guarded.err()).contains("1 documents would expire at once");
    assertThat(run(with(rule, "--grace", "1h")).out()).contains("Set; 1 documents");
    assertThat(documents()).isZero();
    assertThat(run("ttl", "undo", THINGS).out()).contains("1 documents are visible again");
    assertThat(documents()).isEqualTo(1);
  }

  @Test
  void timesInFieldsHaveAFormat() throws IOException {
    prepareIndexed();
    Path file = directory.resolve("numbers.json");
    Files.writeString(file, "{\"_id\": 1, \"at\": 1000000000}\n{\"_id\": 2, \"at\": \"x\"}\n");
    run("import", THINGS, file.toString());
    List<String> rule = List.of("ttl", "set", THINGS, "--index", "at_1", "--after", "1h");
    assertThat(run(with(rule, "--format", "days")).err()).contains("one of date, seconds");
    assertThat(run(with(rule, "--format", "seconds")).out()).contains("Set; 1 documents");
    assertThat(run("ttl", "show", THINGS).out())
        .contains(THINGS + ": 1h by index at_1 (seconds)")
        .contains("expire 1 hour after the time (seconds) in `at`.")
        .contains("1: `at` is a string, not a number. For example 2.");
    assertThat(run("ttl", "explain", THINGS, "2").out()).contains("is a string, not a number");
    assertThat(run("ttl", "set", THINGS, "--id", "--after", "1d", "--format", "objectId").exit())
        .isZero();
    assertThat(run("ttl", "show", THINGS).out()).contains("1d since _id (objectId)");
    assertThat(run("ttl", "set", THINGS, "--after", "1h", "--format", "seconds").err())
        .contains("--format needs --index, --property or --id");
  }

  @Test
  void manyDocumentsGetANewDeadline() throws IOException {
    fill(3);
    run("ttl", "set", THINGS, "--after", "1h");
    assertThat(run("ttl", "touch", THINGS, "--filter", "{\"_id\": 1}", "--after", "7d").out())
        .contains("1 of 1 matching documents have a new deadline.");
    assertThat(json("ttl", "touch", THINGS, "--filter", "{}").field("touched").asLong())
        .isEqualTo(3);
    assertThat(run("ttl", "touch", THINGS, "--extend", "1h").out())
        .contains("The rule default is extended.");
    assertThat(run("ttl", "show", THINGS).out()).contains("2h since last write");
    assertThat(run("ttl", "touch", THINGS, "--filter", "x").err()).contains("not valid JSON");
    assertThat(run("ttl", "touch", THINGS, "--filter", "{}", "--deadline", "soon").err())
        .contains("is not a time");
    assertThat(run("ttl", "touch", THINGS).err()).contains("'filter' is missing");
  }

  @Test
  void expiredDocumentsMoveToAnotherCollection() throws IOException {
    fill(3);
    assertThat(run("ttl", "on-expire", THINGS, "--move-to", "shop.past").err())
        .contains("the collection shop.past does not exist: create it first");
    prepare(engine -> engine.create(new Namespace("shop", "past"), CollectionSpec.mongo()));
    assertThat(run("ttl", "on-expire", THINGS, "--move-to", "shop.past", "--evicted").out())
        .contains(THINGS + ": Expired documents are moved to shop.past.");
    assertThat(run("ttl", "show", THINGS).out())
        .contains("On expiry: Expired documents are moved to shop.past.")
        .contains("delivered 0, waiting 0");
    assertThat(json("ttl", "show", THINGS).at(FieldPath.of("onExpire.evicted")).asBoolean())
        .isTrue();
    assertThat(run("ttl", "on-expire", THINGS, "--files", "x", "--format", "csv").err())
        .contains("'format' must be ndjson or bson");
    assertThat(run("ttl", "on-expire", THINGS, "--post", "http://localhost/").err())
        .contains("on-expire-hosts");
    assertThat(run("ttl", "on-expire", THINGS).exit()).isEqualTo(2);
    assertThat(run("ttl", "on-expire", THINGS, "--off").out())
        .contains("Expired documents are removed.");
    assertThat(run("ttl", "show", THINGS).out()).doesNotContain("On expiry");
  }

  @Test
  void documentsThatExpireSoonAreListedOnce() throws IOException {
    fill(2);
    run("ttl", "set", THINGS, "--after", "1h");
    // the lane of the rule is built
    prepare(Engine::workUntilIdle);
    Document first = json("ttl", "warnings", THINGS, "--within", "2h", "--most", "5");
    assertThat(first.field("documents").asDocument().field("1").isMissing()).isFalse();
    String position = first.field("next").asString();
    assertThat(run("ttl", "warnings", THINGS, "--within", "2h", "--after", position).out())
        .startsWith("Continue with --after ");
    assertThat(run("ttl", "warnings", THINGS, "--within", "2h").out())
        .contains("0 expires at 2", "by the rule default.");
    assertThat(run("ttl", "warnings", THINGS, "--within", "2h", "--after", "x").err())
        .contains("is not a position");
    assertThat(run("ttl", "warnings", THINGS).exit()).isEqualTo(2);
  }

  @Test
  void archiveFilesAreImported() throws IOException {
    Path archive = Files.createDirectory(directory.resolve("archive"));
    Path first = archive.resolve("things-000001.bson");
    Files.write(first, Json.parse("{\"_id\": 1}", Limits.MONGO).bytes());
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(archive.resolve("things-000002.ndjson.gz")))) {
      out.write("{\"_id\": 2}\n{\"_id\": 3}\n".getBytes(StandardCharsets.UTF_8));
    }
    Path manifest = archive.resolve(ArchiveDirectory.MANIFEST);
    String line = "{\"file\": \"things-000001.bson\", \"sha256\": \"%s\"}%n";
    Files.writeString(manifest, line.formatted(ArchiveDirectory.sha256(first)));
    assertThat(run("import", THINGS, archive.toString()).out()).contains("Imported 3 documents");
    assertThat(documents()).isEqualTo(3);
    Path second = archive.resolve("things-000002.ndjson.gz");
    assertThat(run("import", THINGS, second.toString(), "--replace").out())
        .contains("Imported 2 documents");
    Files.writeString(manifest, line.formatted("00"));
    assertThat(run("import", THINGS, archive.toString()).err())
        .contains("does not have the checksum of the manifest. Nothing was imported.");
  }

  @Test
  void rulesSlide() throws IOException {
    fill(3);
    List<String> set = List.of("ttl", "set", THINGS, "--after", "1h");
    assertThat(run(with(set, "--slack", "5s")).err()).contains("need --sliding");
    assertThat(run(with(set, "--sliding", "--slack", "5s", "--sliding-queries")).out())
        .contains("Set; 0 documents");
    assertThat(run("ttl", "show", THINGS).out())
        .contains(THINGS + ": 1h since last read or write")
        .contains("expire 1 hour after their last read or write.");
    Document rules = json("ttl", "show", THINGS).field("rules").asDocument();
    assertThat(rules.field("sliding").toString())
        .contains("\"default\":{\"slackSeconds\":5,\"queries\":true}");
    assertThat(run("ttl", "explain", THINGS, "1").out()).contains("last read or written at");
    assertThat(run("ttl", "touch", THINGS, "--filter", "{}", "--after", "7d").err())
        .contains("slides");
    assertThat(run(with(set, "--no-sliding")).exit()).isZero();
    assertThat(run("ttl", "show", THINGS).out()).contains("1h since last write");
  }

  @Test
  void aCollectionIsBounded() throws IOException {
    fill(3);
    assertThat(run("ttl", "limit", THINGS, "--documents", "2", "--bytes", "4096").out())
        .contains("is bounded: 2 documents and 4");
    assertThat(run("ttl", "show", THINGS).out()).contains("Limit: 2 documents");
    Path file = directory.resolve("more.json");
    Files.writeString(file, "{\"_id\": 7}\n");
    run("import", THINGS, file.toString());
    assertThat(documents()).isEqualTo(2);
    assertThat(run("ttl", "limit", THINGS, "--documents", "-1").exit()).isEqualTo(1);
    assertThat(run("ttl", "limit", THINGS).out()).contains("has no limits");
  }

  @Test
  void documentsFollowThoseOfAnotherCollection() throws IOException {
    fill(1);
    Path file = directory.resolve("parents.json");
    Files.writeString(file, "{\"_id\": 1}\n");
    assertThat(run("import", PARENTS, file.toString()).exit()).isZero();
    String[] set = {"ttl", "with", THINGS, "--collection", "parents", "--field", "p"};
    assertThat(run(set).err()).contains("needs an index that begins with p");
    assertThat(run("ttl", "with", THINGS, "--collection", "parents").exit()).isEqualTo(2);
    assertThat(run("ttl", "with", THINGS, "--off").out()).contains("follows no collection");
  }

  private static String[] with(List<String> first, String... more) {
    return Stream.concat(first.stream(), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void aTtlOfAnUnknownIndexIsRejected() throws IOException {
    fill(1);
    CommandLineRun run = run("ttl", "set", THINGS, "--index", "none", "--after", "1h");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("There is no index 'none'");
  }

  @Test
  void anUnknownCollectionIsReported() {
    CommandLineRun run = run("ttl", "show", "shop.nothing");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("NO_SUCH_COLLECTION", "shop.nothing");
    assertThat(run("ttl", "show", "nothing").err()).contains("DATABASE.COLLECTION");
    assertThat(run("ttl", "set", "a.b", "--after", "soon").err()).contains("30m");
  }

  @Test
  void usersAreAddedListedAndRemoved() throws IOException {
    Path password = directory.resolve("password");
    Files.writeString(password, "secret\n");
    CommandLineRun added =
        run(
            "users",
            "add",
            "ada",
            "--role",
            "readWrite",
            "--database",
            "shop",
            "--password-file",
            password.toString());
    assertThat(added).as(added.err()).extracting(CommandLineRun::exit).isEqualTo(0);
    assertThat(run("users", "list").out()).contains("ada", "shop", "readWrite@shop");
    assertThat(run("users", "list", "--json").out()).doesNotContain("secret", "storedKey");
    assertThat(run("users", "remove", "ada", "--database", "shop").exit()).isZero();
    assertThat(run("users", "list").out()).doesNotContain("ada");
    assertThat(run("users", "remove", "ada").err()).contains("Could not find user");
  }

  @Test
  void anExportCanBeImportedUnchanged() throws IOException {
    fill(2_000);
    Path file = directory.resolve("out.json");
    assertThat(json("export", THINGS, file.toString()).field("documents").asLong())
        .isEqualTo(2_000);
    assertThat(Files.readAllLines(file))
        .hasSize(2_000)
        .contains("{\"_id\":{\"$numberInt\":\"7\"}}");
    assertThat(run("export", THINGS, file.toString()).err()).contains("exists");
    assertThat(json("import", "shop.copy", file.toString()).field("written").asLong())
        .isEqualTo(2_000);
    Document again = json("import", "shop.copy", file.toString());
    assertThat(again.field("refused").asLong()).isEqualTo(2_000);
    assertThat(json("import", "shop.copy", file.toString(), "--replace").field("written").asLong())
        .isEqualTo(2_000);
  }

  @Test
  void anInterruptedExportContinues() throws IOException {
    Path big = directory.resolve("big.json");
    String text = "x".repeat(100_000);
    Files.write(
        big,
        IntStream.range(0, 40)
            .mapToObj(i -> "{\"_id\": %d, \"t\": \"%s\"}".formatted(i, text))
            .toList());
    run("import", THINGS, big.toString());
    Path whole = directory.resolve("whole.json");
    run("export", THINGS, whole.toString());
    assertThat(Files.readAllLines(whole)).hasSize(40);

    Path half = directory.resolve("half.json");
    Document first;
    try (CommandTarget connection = new TargetOf(target()).open()) {
      first = connection.request("POST", CommandTarget.path(THINGS) + "/export", Document.EMPTY);
    }
    long got = count(first);
    assertThat(got).isBetween(1L, 39L);
    List<String> lines = Files.readAllLines(whole).subList(0, (int) got);
    Files.write(half, lines);
    long bytes = Files.size(half);
    Files.writeString(half, "torn", StandardOpenOption.APPEND);
    new Progress(half, new PrintWriter(Writer.nullWriter()))
        .save(
            Document.writer()
                .put("after", first.field("after"))
                .put("bytes", bytes)
                .put("documents", got)
                .build());
    assertThat(json("export", THINGS, half.toString(), "--resume").field("documents").asLong())
        .isEqualTo(40);
    assertThat(half).hasSameTextualContentAs(whole);
  }

  private static long count(Document answer) {
    long count = 0;
    Fields each = answer.field("documents").asDocument().fields();
    while (each.next()) {
      count++;
    }
    return count;
  }

  @Test
  void anInterruptedImportContinues() throws IOException {
    Path file = directory.resolve("in.json");
    Files.writeString(file, "{\"_id\": 1}\n{\"_id\": 2}\n");
    new Progress(file, new PrintWriter(Writer.nullWriter()))
        .save(Document.writer().put("written", 1).put("refused", 0).put("bytes", 11).build());
    assertThat(json("import", THINGS, file.toString(), "--resume").field("written").asLong())
        .isEqualTo(2);
    assertThat(documents()).isEqualTo(1);
  }

  @Test
  void documentsMayBeInOneArray() throws IOException {
    Path file = directory.resolve("array.json");
    Files.writeString(
        file, " [\n  {\"_id\": 1, \"t\": \"}\\\"{\"},\n  {\n\"_id\": {\"x\": 2}}\n]\n");
    assertThat(json("import", THINGS, file.toString()).field("written").asLong()).isEqualTo(2);
    Files.writeString(file, "[{\"_id\": 3}, oops]");
    CommandLineRun run = run("import", THINGS, file.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("at byte 11 is not a document");
  }

  @Test
  void documentsOfTheMaximumSizeAreTransferred() throws IOException {
    Path file = directory.resolve("large.json");
    String text = "x".repeat((16 << 20) - 100);
    Files.writeString(file, "{\"_id\": 1, \"t\": \"" + text + "\"}\n{\"_id\": 2}\n");
    assertThat(json("import", THINGS, file.toString()).field("written").asLong()).isEqualTo(2);
    Path out = directory.resolve("out.json");
    run("export", THINGS, out.toString());
    assertThat(Files.readAllLines(out)).hasSize(2).anyMatch(line -> line.contains(text));
  }

  @Test
  void exportAndImportPreserveTypes() throws IOException {
    Path file = directory.resolve("types.json");
    String line = "{\"_id\":{\"$numberLong\":\"5\"},\"d\":{\"$numberDouble\":\"1.0\"}}";
    Files.writeString(file, line + "\n");
    run("import", THINGS, file.toString());
    Path out = directory.resolve("out.json");
    run("export", THINGS, out.toString());
    assertThat(Files.readAllLines(out)).containsExactly(line);
  }

  @Test
  void anInvalidLineIsReported() throws IOException {
    Path file = directory.resolve("bad.json");
    Files.writeString(file, "{\"_id\": 1}\n{oops\n");
    CommandLineRun run = run("import", THINGS, file.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("the line at byte 11 is not a document");
  }

  @Test
  void aBackupIsRestored() throws IOException {
    fill(5);
    Path backup = directory.resolve("backup");
    CommandLineRun made = run("backup", backup.toString());
    assertThat(made).as(made.err()).extracting(CommandLineRun::exit).isEqualTo(0);
    Path data = directory.resolve("restored");
    CommandLineRun restored =
        CommandLineRun.of("restore", backup.toString(), "--data", data.toString(), "--stop-clock");
    assertThat(restored).as(restored.err()).extracting(CommandLineRun::exit).isEqualTo(0);
    assertThat(restored.out()).contains("The clock is stopped");
    assertThat(CommandLineRun.of("collections", "--data", data.toString()).out())
        .contains(THINGS, "5");
    assertThat(CommandLineRun.of("check", "--data", data.toString()).out())
        .contains(THINGS, "Nothing is wrong.");
    assertThat(CommandLineRun.of("restore", backup.toString(), "--data", data.toString()).err())
        .contains("exists");
    assertThat(CommandLineRun.of("restore", directory.toString(), "--data", "x").err())
        .contains("There is no backup");
    assertThat(run("backup", backup.toString()).exit()).isEqualTo(1);
    Files.delete(backup.resolve("backup.json"));
    Path again = directory.resolve("again");
    assertThat(
            CommandLineRun.of(
                    "restore", backup.toString(), "--data", again.toString(), "--stop-clock")
                .out())
        .contains("The clock is stopped at ");
  }
}
