package dev.mayfly.admin.seed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.admin.AdminException;
import dev.mayfly.admin.AdminRequests;
import dev.mayfly.admin.seed.Definitions.Kind;
import dev.mayfly.engine.Engine;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Seed of an empty server: a directory with a definition and documents for each collection.
 *
 * <pre>
 * mongo/web/sessions.json     options and indexes; without it, a collection without either
 * mongo/web/sessions.jsonl    documents: Extended JSON, one per line
 * cosmos/shop/carts.json      resource of the container; at least its partitionKey
 * cosmos/shop/carts.jsonl     items
 * </pre>
 *
 * <p>Names are URL-encoded. If something is refused, everything that the seed has created is
 * dropped again.
 */
public final class Seed {
  private static final String COSMOS_METADATA = "cosmos:";
  private static final String DEFINITION = ".json";
  private static final String DOCUMENTS = ".jsonl";
  private static final int BATCH_DOCUMENTS = 500;
  private static final int BATCH_BYTES = 4 << 20;
  private static final Limits LIMITS = new Limits(17 << 20, 200);

  private final Path directory;
  private final Definitions definitions;
  private final AdminRequests adminApi;

  /** One collection or container of a seed, with its files. */
  record Part(
      Kind kind, String database, String name, Path file, Path documents, Document definition) {}

  private record DatabaseOf(Kind kind, String name) {}

  public Seed(Path directory, Definitions definitions, AdminRequests adminApi) {
    this.directory = directory;
    this.definitions = definitions;
    this.adminApi = adminApi;
  }

  /** Whether an engine has no collections of users. */
  public static boolean isEmpty(Engine engine) {
    return engine.namespaces().stream()
        .noneMatch(
            namespace ->
                !Definitions.OWN_DATABASES.contains(namespace.database())
                    && !namespace.database().equals(COSMOS_METADATA));
  }

  /** File of a definition in a seed. */
  public static Path definition(Path directory, String kind, String database, String name) {
    return directory.resolve(kind).resolve(encoded(database)).resolve(encoded(name) + DEFINITION);
  }

  /** File of the documents in a seed. */
  public static Path documents(Path directory, String kind, String database, String name) {
    return directory.resolve(kind).resolve(encoded(database)).resolve(encoded(name) + DOCUMENTS);
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, UTF_8).replace("+", "%20");
  }

  /**
   * Applies the seed.
   *
   * @return the number of collections and containers
   * @throws SeedException if a file is invalid or refused; the server is empty again
   */
  public int apply() {
    List<Part> parts = parts();
    Set<DatabaseOf> created = new LinkedHashSet<>();
    try {
      for (Part part : CreationOrder.of(parts)) {
        created.add(new DatabaseOf(part.kind(), part.database()));
        create(part);
        load(part);
      }
    } catch (SeedException failure) {
      created.forEach(database -> definitions.drop(database.kind(), database.name()));
      throw failure;
    }
    return parts.size();
  }

  private List<Part> parts() {
    if (!Files.isDirectory(directory)) {
      throw new SeedException("There is no seed directory " + directory + ".");
    }
    List<Part> parts = new ArrayList<>();
    for (Path kind : list(directory)) {
      Kind found = kind(kind);
      for (Path database : list(kind)) {
        Set<String> names = new TreeSet<>();
        for (Path file : list(database)) {
          names.add(nameOf(file));
        }
        for (String name : names) {
          Path file = database.resolve(name + DEFINITION);
          parts.add(
              new Part(
                  found,
                  decoded(database.getFileName().toString()),
                  decoded(name),
                  file,
                  database.resolve(name + DOCUMENTS),
                  definition(found, file)));
        }
      }
    }
    return parts;
  }

  private static Kind kind(Path directory) {
    String name = directory.getFileName().toString();
    for (Kind kind : Kind.values()) {
      if (kind.word().equals(name) && Files.isDirectory(directory)) {
        return kind;
      }
    }
    throw new SeedException(
        directory + " is not part of a seed: it contains the directories mongo and cosmos only.");
  }

  private static String nameOf(Path file) {
    String name = file.getFileName().toString();
    for (String ending : List.of(DOCUMENTS, DEFINITION)) {
      if (name.endsWith(ending) && Files.isRegularFile(file)) {
        return name.substring(0, name.length() - ending.length());
      }
    }
    throw new SeedException(
        file
            + " is not part of a seed: files must be NAME.json (definition) or NAME.jsonl"
            + " (documents).");
  }

  /** Visible entries of a directory, by name. */
  private static List<Path> list(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new SeedException(directory + " is not part of a seed: it must be a directory.");
    }
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(entry -> !entry.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    } catch (IOException failure) {
      throw new SeedException("Cannot read " + directory + ".", failure);
    }
  }

  private static String decoded(String name) {
    try {
      return URLDecoder.decode(name.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw new SeedException("The name '" + name + "' is not URL-encoded.", malformed);
    }
  }

  private static Document definition(Kind kind, Path file) {
    if (Files.notExists(file)) {
      if (kind == Kind.COSMOS) {
        throw new SeedException(file + " is missing: a container needs its partitionKey.");
      }
      return Document.EMPTY;
    }
    try {
      return ExtendedJson.parse(Files.readAllBytes(file), LIMITS);
    } catch (ValueException invalid) {
      throw new SeedException(file + " is not valid JSON: " + invalid.getMessage() + ".", invalid);
    } catch (IOException failure) {
      throw new SeedException("Cannot read " + file + ".", failure);
    }
  }

  private void create(Part part) {
    try {
      definitions.create(part.kind(), part.database(), part.name(), part.definition());
    } catch (Definitions.Refused refused) {
      throw new SeedException(part.file() + " is refused: " + refused.getMessage(), refused);
    }
  }

  private void load(Part part) {
    if (Files.notExists(part.documents())) {
      return;
    }
    int line = 0;
    try (BufferedReader lines = Files.newBufferedReader(part.documents())) {
      List<Document> batch = new ArrayList<>();
      int bytes = 0;
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        line++;
        if (!text.isBlank()) {
          Document document = ExtendedJson.parse(text.getBytes(UTF_8), LIMITS);
          batch.add(document);
          bytes += document.length();
        }
        if (batch.size() == BATCH_DOCUMENTS || bytes > BATCH_BYTES) {
          insert(part, batch);
          batch.clear();
          bytes = 0;
        }
      }
      if (!batch.isEmpty()) {
        insert(part, batch);
      }
    } catch (ValueException invalid) {
      throw new SeedException(
          part.documents() + ", line " + line + " is not valid JSON: " + invalid.getMessage() + ".",
          invalid);
    } catch (IOException failure) {
      throw new SeedException("Cannot read " + part.documents() + ".", failure);
    }
  }

  private void insert(Part part, List<Document> batch) {
    try {
      switch (part.kind()) {
        case MONGO -> definitions.insert(part.database(), part.name(), batch);
        case COSMOS -> insertItems(part, batch);
      }
    } catch (Definitions.Refused | AdminException refused) {
      throw new SeedException(
          "A document of " + part.documents() + " is refused: " + refused.getMessage(), refused);
    }
  }

  private void insertItems(Part part, List<Document> batch) {
    Document body =
        Document.writer()
            .put("documents", Value.array(batch.stream().map(Value::of).toList()))
            .build();
    Document reply =
        adminApi.answer(
            "POST",
            "/collections/"
                + encoded("cosmos:" + part.database())
                + "/"
                + encoded(part.name())
                + "/import",
            body);
    Value refusal = reply.field("firstRefusal");
    if (!refusal.isMissing()) {
      throw new Definitions.Refused(refusal.asString());
    }
  }
}
