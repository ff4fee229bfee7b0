package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/** The packages in {@code clients/}, and a server for them. */
final class TestPackages {
  static final Path NODE = Path.of("..", "clients", "node");
  static final Path PYTHON = Path.of("..", "clients", "python");

  private static final String JAVA_HOME = System.getProperty("java.home");
  private static final String JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -Xmx300m";

  private TestPackages() {}

  /** Variables that name a jar of the server: it contains the class path of this test alone. */
  static Map<String, String> withJar(Path directory) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, "dev.mayfly.cli.Main");
    attributes.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
    attributes.put(
        Attributes.Name.CLASS_PATH,
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(entry -> Path.of(entry).toUri().toString())
            .collect(Collectors.joining(" ")));
    Path jar = directory.resolve("mayfly.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return Map.of(
        "MAYFLY_JAR", jar.toString(), "JAVA_HOME", JAVA_HOME, "MAYFLY_JAVA_OPTIONS", JAVA_OPTIONS);
  }

  /** Variables with a path that has the command {@code mayfly}. */
  static Map<String, String> withCommand(Path directory) throws IOException {
    String jar = withJar(directory).get("MAYFLY_JAR");
    Path java = Path.of(JAVA_HOME, "bin", "java");
    Path command =
        Files.writeString(
            directory.resolve("mayfly"),
            "#!/bin/sh\nexec '%s' %s -jar '%s' \"$@\"\n".formatted(java, JAVA_OPTIONS, jar));
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
    return Map.of("PATH", directory + File.pathSeparator + System.getenv("PATH"));
  }

  /** Packs the Node package as it would be published, and unpacks it into the Node project. */
  static void installNodePackage() throws IOException, InterruptedException {
    String source = NODE.toAbsolutePath().normalize().toString();
    Program.Outcome packed = NodeProject.run(120, Map.of(), "npm", "pack", "--silent", source);
    assertThat(packed.exit()).as(packed.output()).isZero();
    String archive = packed.output().lines().toList().getLast();
    Path target = NodeProject.DIRECTORY.resolve("node_modules").resolve("mayfly-test");
    Files.createDirectories(target);
    Program.Outcome unpacked =
        NodeProject.run(
            60,
            Map.of(),
            "tar",
            "-xzf",
            archive,
            "--strip-components=1",
            "-C",
            "node_modules/mayfly-test");
    assertThat(unpacked.exit()).as(unpacked.output()).isZero();
  }
}
