package dev.mayfly.cli.doctor;

import dev.mayfly.config.Configuration;
import dev.mayfly.config.ConfigurationException;
import dev.mayfly.server.OwnKey;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Command {@code doctor}: writes an archive for a bug report. */
@Command(
    name = "doctor",
    description = {
      "Write an archive for a bug report: versions, settings, files, metrics, alarms, rules.",
      "It contains no documents, keys, passwords or users. Names of databases, collections and"
          + " fields with a rule are in it. Read it before you send it."
    })
public final class Doctor implements Callable<Integer> {
  private static final int LOG_BYTES = 1 << 20;

  /** Fields that may contain values of documents. */
  private static final Set<String> WITH_VALUES = Set.of("keys", "buildFailure");

  /** Field with the address of an action on expiry: its path and query may be a secret. */
  private static final String ADDRESS = "post";

  private static final Pattern AFTER_HOST = Pattern.compile("(?<=[^:/])[/?].*");
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private final Inputs inputs;
  private final CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "File with the settings of the server; default is mayfly.yaml if it exists.")
  private @Nullable Path config;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "File with the log of the server; its last lines are added.")
  private @Nullable Path log;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Archive to write; default is mayfly-doctor-TIME.zip.")
  private @Nullable Path out;

  /**
   * What the command reports about.
   *
   * @param directory the data directory
   * @param source opens the server or the directory
   * @param configuration reads the settings, from the given file if it is not null
   * @param json whether the result is printed as JSON
   */
  public record Inputs(
      Supplier<Path> directory,
      Supplier<? extends ReportSource> source,
      Function<Optional<Path>, Configuration> configuration,
      Map<String, String> environment,
      BooleanSupplier json) {
    public Inputs {
      environment = Map.copyOf(environment);
    }
  }

  private Doctor(Inputs inputs) {
    this.inputs = inputs;
    this.spec = CommandSpec.forAnnotatedObject(this);
  }

  /**
   * Creates the command.
   *
   * @param target object with the options that select a server or a directory
   */
  public static CommandLine line(Object target, Inputs inputs) {
    Doctor doctor = new Doctor(inputs);
    doctor.spec.addMixin("target", CommandSpec.forAnnotatedObject(target));
    return new CommandLine(doctor.spec);
  }

  @Override
  public Integer call() throws IOException {
    Path file =
        out == null ? Path.of("mayfly-doctor-" + STAMP.format(Instant.now()) + ".zip") : out;
    Path directory = inputs.directory().get();
    Supplier<String> settings;
    Secrets secrets;
    try {
      Configuration configuration = inputs.configuration().apply(Optional.ofNullable(config));
      settings = () -> SystemFacts.settings(configuration);
      secrets = secrets(configuration, directory);
    } catch (ConfigurationException invalid) {
      settings = () -> firstLine(invalid) + System.lineSeparator();
      secrets = secrets(Configuration.of(Map.of(), Map.of(), Map.of(), List.of()), directory);
    }
    try (ReportArchive archive = ReportArchive.create(file, secrets)) {
      archive.add("system.txt", SystemFacts::versions);
      archive.add("settings.txt", settings);
      archive.add("files.txt", () -> SystemFacts.files(directory));
      if (log != null) {
        Path named = log;
        archive.add("log.txt", () -> tail(named));
      }
      addSource(archive);
    }
    print(file);
    return 0;
  }

  /** Later lines quote the file. */
  private static String firstLine(ConfigurationException invalid) {
    return String.valueOf(invalid.getMessage()).lines().findFirst().orElse("");
  }

  private Secrets secrets(Configuration configuration, Path directory) {
    return Secrets.of(configuration, inputs.environment(), OwnKey.of(directory).stream());
  }

  /** Adds what a server or a directory reports. Opening it is the quick check. */
  private void addSource(ReportArchive archive) {
    ReportSource opened;
    try {
      opened = inputs.source().get();
    } catch (RuntimeException failure) {
      archive.add(
          "check.txt", () -> "Cannot be opened: " + failure.getMessage() + System.lineSeparator());
      return;
    }
    try (ReportSource source = opened) {
      archive.add("check.txt", () -> check(source));
      archive.add("collections.json", () -> pretty(source.request("GET", "/collections")));
      archive.add("ttl.json", () -> ttl(source));
      for (String name : List.of("alarms", "sweep", "clock")) {
        archive.add(name + ".json", () -> pretty(source.request("GET", "/" + name)));
      }
      archive.add("metrics.txt", () -> source.text("/metrics").orElse(noServer()));
    }
  }

  private static String check(ReportSource source) {
    long collections =
        elements(source.request("GET", "/collections").field("collections").asDocument()).count();
    String opened =
        "The catalog has %d collections.%s".formatted(collections, System.lineSeparator());
    return source
        .text("/readyz")
        .map(ready -> "A server is running: " + ready.strip() + System.lineSeparator() + opened)
        .orElse(
            "No server is running. The directory was opened: its log is complete and its catalog"
                + " can be read. `mayfly check` reads all of it."
                + System.lineSeparator()
                + opened);
  }

  private static String noServer() {
    return "Not available: no server is running." + System.lineSeparator();
  }

  /** The same as {@code ttl show --json} of every collection. */
  private static String ttl(ReportSource source) {
    StringBuilder all = new StringBuilder();
    Document collections = source.request("GET", "/collections").field("collections").asDocument();
    elements(collections)
        .forEach(
            collection -> {
              String path =
                  ReportSource.path(
                      collection.field("database").asString(),
                      collection.field("collection").asString());
              DocumentWriter shown = Document.writer().putAll(source.request("GET", path));
              shown.put("health", source.request("GET", path + "/health"));
              all.append(pretty(shown.build()));
            });
    return all.toString();
  }

  /** Leaves out ids of documents, messages that may contain values of fields, and addresses. */
  private static Document cleaned(Document reply) {
    DocumentWriter kept = Document.writer();
    Fields each = reply.fields();
    while (each.next()) {
      if (each.named(ADDRESS) && each.value().type() == Type.STRING) {
        kept.put(ADDRESS, host(each.value().asString()));
      } else if (each.value().isNumber() || !WITH_VALUES.contains(each.name())) {
        // a number is the TTL of an index with this name
        kept.put(each.name(), cleaned(each.value()));
      }
    }
    return kept.build();
  }

  private static Value cleaned(Value value) {
    if (value.isDocument()) {
      return Value.of(cleaned(value.asDocument()));
    }
    return value.isArray()
        ? Value.array(values(value.asDocument()).map(Doctor::cleaned).toList())
        : value;
  }

  private static String host(String address) {
    return AFTER_HOST
        .matcher(address)
        .replaceFirst(Matcher.quoteReplacement("/" + Secrets.REMOVED));
  }

  private static Stream<Value> values(Document array) {
    Stream.Builder<Value> values = Stream.builder();
    Fields each = array.fields();
    while (each.next()) {
      values.add(each.value());
    }
    return values.build();
  }

  private static Stream<Document> elements(Document array) {
    return values(array).map(Value::asDocument);
  }

  private static String pretty(Document reply) {
    return ExtendedJson.relaxed(cleaned(reply)) + System.lineSeparator();
  }

  /** The last lines of a file, 1 MiB at most. */
  private static String tail(Path file) {
    try (var channel = Files.newByteChannel(file)) {
      long start = Math.max(0, channel.size() - LOG_BYTES);
      channel.position(start);
      ByteBuffer bytes = ByteBuffer.allocate(LOG_BYTES);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // until it is full or the file ends
      }
      String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
      // the first line is only a part of one
      return start == 0 ? text : text.substring(text.indexOf('\n') + 1);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private void print(Path file) {
    String sentence =
        "Wrote "
            + file
            + ". It contains no documents, keys, passwords or users; read it before you send it.";
    Document result = Document.writer().put("file", file.toString()).build();
    spec.commandLine()
        .getOut()
        .println(inputs.json().getAsBoolean() ? Json.write(result) : sentence);
    spec.commandLine().getOut().flush();
  }
}
