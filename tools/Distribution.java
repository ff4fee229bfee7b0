import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Builds the parts of a distribution from mayfly.jar, which has native libraries for all systems:
 * one jar per platform, a Java runtime for this platform, and the release notes.
 *
 * <p>`mvn -Pdist package` runs it with the directory of the tree, the directory to write to, and
 * the version.
 */

/** A platform: names of its native libraries in RocksDB and in aircompressor. */
record Platform(String rocksdb, String aircompressor) {}

/** Named as container images name them. */
final Map<String, Platform> platforms =
    new TreeMap<>(
        Map.of(
            "linux-amd64", new Platform("linux64.so", "linux-amd64"),
            "linux-amd64-musl", new Platform("linux64-musl.so", "linux-amd64"),
            "linux-arm64", new Platform("linux-aarch64.so", "linux-aarch64"),
            "linux-arm64-musl", new Platform("linux-aarch64-musl.so", "linux-aarch64"),
            "macos-amd64", new Platform("osx-x86_64.jnilib", "macos-amd64"),
            "macos-arm64", new Platform("osx-arm64.jnilib", "macos-aarch64"),
            "windows-amd64", new Platform("win64.dll", "windows-amd64")));

/** Modules of the runtime; jcmd, keytool and the file system of zip files are for operators. */
final List<String> modules =
    List.of(
        "java.base",
        "java.logging",
        "java.management",
        "java.naming",
        "java.net.http",
        "java.security.sasl",
        "java.sql",
        "java.xml",
        "jdk.crypto.ec",
        "jdk.jcmd",
        "jdk.jfr",
        "jdk.management",
        "jdk.unsupported",
        "jdk.zipfs");

/** JTS can draw its shapes with AWT. Nothing here does. */
final String notNeeded = "java.desktop";

/** Files of the tree in the archive. */
final List<String> files =
    List.of(
        "mayfly",
        "mayfly.cmd",
        "README.md",
        "CHANGELOG.md",
        "LICENSE",
        "SECURITY.md",
        "THIRD-PARTY.md");

void main(String[] arguments) throws IOException {
  Path tree = Path.of(arguments[0]);
  Path out = Path.of(arguments[1]);
  String version = arguments[2];
  Path jar = tree.resolve("server/target/mayfly.jar");
  Files.createDirectories(out);
  for (Map.Entry<String, Platform> platform : platforms.entrySet()) {
    platformJar(
        jar, out.resolve("mayfly-%s-%s.jar".formatted(version, platform.getKey())), platform);
  }
  checkModules(jar);
  archive(tree, out, version);
  Files.writeString(
      out.resolve("release-notes.md"), releaseNotes(tree.resolve("CHANGELOG.md"), version));
}

/** Makes the archive with its own runtime: a directory, and the same packed. */
void archive(Path tree, Path out, String version) throws IOException {
  String name = "mayfly-%s-%s".formatted(version, platform());
  Path home = out.resolve(name);
  remove(home);
  Files.createDirectories(home);
  runtime(home.resolve("runtime"));
  Files.copy(out.resolve(name + ".jar"), home.resolve("mayfly.jar"));
  copy(tree.resolve("docs"), home.resolve("docs"));
  for (String file : files) {
    Files.copy(tree.resolve(file), home.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
  }
  boolean windows = name.contains("windows");
  // both systems have a tar; that of Windows writes zip files, too
  pack(out, windows ? "-acf" : "-czf", name + (windows ? ".zip" : ".tar.gz"), name);
}

void pack(Path out, String options, String file, String name) throws IOException {
  Process tar =
      new ProcessBuilder("tar", options, file, name).directory(out.toFile()).inheritIO().start();
  if (tar.onExit().join().exitValue() != 0) {
    throw new IllegalStateException("tar failed");
  }
}

void copy(Path from, Path to) throws IOException {
  try (Stream<Path> files = Files.walk(from)) {
    for (Path file : files.toList()) {
      Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }
}

void remove(Path directory) throws IOException {
  if (Files.exists(directory)) {
    try (Stream<Path> old = Files.walk(directory)) {
      for (Path file : old.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

/** The platform of this machine. */
String platform() {
  String system = System.getProperty("os.name");
  String os =
      system.startsWith("Windows") ? "windows" : system.startsWith("Mac") ? "macos" : "linux";
  String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
  boolean musl =
      Stream.of("x86_64", "aarch64")
          .anyMatch(cpu -> Files.exists(Path.of("/lib/ld-musl-" + cpu + ".so.1")));
  return os + "-" + arch + (musl ? "-musl" : "");
}

/** Copies the jar without the native libraries of other platforms. */
void platformJar(Path jar, Path target, Map.Entry<String, Platform> platform) throws IOException {
  Files.copy(jar, target, StandardCopyOption.REPLACE_EXISTING);
  String rocksdb = "/librocksdbjni-" + platform.getValue().rocksdb();
  String compressor = "/aircompressor/" + platform.getValue().aircompressor() + "/";
  Predicate<String> others =
      name ->
          name.startsWith("/librocksdbjni-") && !name.equals(rocksdb)
              || name.startsWith("/aircompressor/") && !name.startsWith(compressor);
  try (FileSystem zip = FileSystems.newFileSystem(target);
      Stream<Path> files = Files.walk(zip.getPath("/"))) {
    List<Path> all = files.filter(Files::isRegularFile).toList();
    if (all.stream().noneMatch(file -> file.toString().equals(rocksdb))) {
      throw new IllegalStateException(jar + " has no library " + rocksdb);
    }
    for (Path file : all) {
      if (others.test(file.toString())) {
        Files.delete(file);
      }
    }
  }
}

/** Fails if the program needs a module that the runtime does not have. */
void checkModules(Path jar) {
  String printed =
      run("jdeps", "--multi-release", "25", "--ignore-missing-deps", "-summary", jar.toString());
  TreeSet<String> missing = new TreeSet<>();
  Matcher each = Pattern.compile("-> ((?:java|jdk)\\.[\\w.]+)").matcher(printed);
  while (each.find()) {
    missing.add(each.group(1));
  }
  missing.removeAll(modules);
  missing.remove(notNeeded);
  if (!missing.isEmpty()) {
    throw new IllegalStateException("the runtime lacks modules that are used: " + missing);
  }
}

/** Makes a Java runtime for this platform. */
void runtime(Path directory) {
  run(
      "jlink",
      "--add-modules",
      String.join(",", modules),
      "--no-header-files",
      "--no-man-pages",
      "--generate-cds-archive",
      "--output",
      directory.toString());
}

String run(String tool, String... arguments) {
  StringWriter printed = new StringWriter();
  PrintWriter out = new PrintWriter(printed);
  int exit = ToolProvider.findFirst(tool).orElseThrow().run(out, out, arguments);
  if (exit != 0) {
    throw new IllegalStateException(tool + " failed with " + exit + ": " + printed);
  }
  return printed.toString();
}

/** The section of a version in the changelog, with the headings one level higher. */
String releaseNotes(Path changelog, String version) throws IOException {
  String number = version.replace("-SNAPSHOT", "");
  List<String> notes = new ArrayList<>();
  boolean inside = false;
  for (String line : Files.readAllLines(changelog)) {
    if (line.startsWith("## ")) {
      inside = line.startsWith("## " + number);
      if (inside) {
        notes.add("# Mayfly " + line.substring("## ".length()));
      }
    } else if (inside) {
      notes.add(line.startsWith("###") ? line.substring(1) : line);
    }
  }
  if (notes.isEmpty()) {
    throw new IllegalStateException(changelog + " has no section of version " + number);
  }
  return String.join("\n", notes).strip() + "\n";
}
