package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.Mayfly;
import dev.mayfly.config.Setting;
import dev.mayfly.config.Settings;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class MainTest {
  @Test
  void everyCommandAndOptionHasADescription() {
    PrintWriter nowhere = new PrintWriter(PrintWriter.nullWriter());
    for (CommandLine command : all(Main.line(Map.of(), nowhere, nowhere))) {
      String name = command.getCommandSpec().qualifiedName();
      assertThat(command.getCommandSpec().usageMessage().description()).as(name).isNotEmpty();
      assertThat(command.getCommandSpec().options())
          .as(name)
          .allSatisfy(option -> assertThat(option.description()).isNotEmpty())
          .extracting(option -> option.longestName())
          .contains("--help");
      assertThat(command.getCommandSpec().positionalParameters())
          .as(name)
          .allSatisfy(parameter -> assertThat(parameter.description()).isNotEmpty());
    }
  }

  private static List<CommandLine> all(CommandLine line) {
    List<CommandLine> all = new ArrayList<>(List.of(line));
    line.getSubcommands().values().forEach(command -> all.addAll(all(command)));
    return all;
  }

  @Test
  void everySettingIsAnOptionOfServe() {
    String help = CommandLineRun.of("serve", "--help").out();
    assertThat(Settings.ALL).extracting(Setting::option).allMatch(help::contains);
  }

  @Test
  void theSettingsPageMatchesTheDocumentation() throws IOException {
    assertThat(CommandLineRun.of("settings").out())
        .isEqualTo(Files.readString(Path.of("../docs/configuration.md")));
    String json = CommandLineRun.of("settings", "--json").out();
    assertThat(json).contains("MAYFLY_MONGO_PORT", "\"standard\":\"27017\"");
  }

  @Test
  void withoutACommandHelpIsPrinted() {
    CommandLineRun run = CommandLineRun.of();
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("A command is missing.", "serve");
  }

  @Test
  void aMistypedOptionIsRejectedWithASuggestion() {
    CommandLineRun run = CommandLineRun.of("serve", "--mongo-prot", "1");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--mongo-prot", "--mongo-port");
  }

  @Test
  void theVersionMatchesTheBuild() throws IOException {
    assertThat(Files.readString(Path.of("../pom.xml")))
        .contains("<version>" + Mayfly.VERSION + "-SNAPSHOT</version>");
    assertThat(CommandLineRun.of("version").out()).startsWith("Mayfly " + Mayfly.VERSION);
    assertThat(CommandLineRun.of("--version").out()).contains(Mayfly.VERSION);
    String json = CommandLineRun.of("version", "--json").out();
    assertThat(Json.parse(json, Limits.COSMOS).field("mayfly").asString())
        .isEqualTo(Mayfly.VERSION);
  }

  @Test
  void aPortInUseIsReportedWithItsOption(@TempDir Path data) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      List<String> doors = List.of("--mongo-port", "--cosmos-port", "--admin-port");
      for (String door : doors) {
        List<String> words = new ArrayList<>(List.of("serve", "--data", data.toString()));
        doors.forEach(each -> words.addAll(List.of(each, each.equals(door) ? port : "0")));
        CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("Port " + port + " is in use", door + " PORT");
      }
    }
    Mayfly.open(data).close();
  }

  @Test
  void aDirectoryInUseIsReported(@TempDir Path data) {
    try (Mayfly _ = Mayfly.open(data)) {
      CommandLineRun run = CommandLineRun.of("serve", "--data", data.toString());
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.err()).contains("in use by another process", "--data DIR");
    }
  }

  @Test
  void tlsCannotBeRequiredWithoutACertificate() {
    CommandLineRun run = CommandLineRun.of("serve", "--in-memory", "--tls-required", "always");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("tls-required needs a certificate");
  }

  @Test
  void remoteAccessNeedsLogin() {
    CommandLineRun run =
        CommandLineRun.of("serve", "--in-memory", "--bind", "0.0.0.0", "--auth", "never");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("--bind 0.0.0.0", "--auth remote");
  }

  @Test
  void remoteAccessNeedsAnotherKeyThanTheEmulators() {
    CommandLineRun run = CommandLineRun.of("serve", "--in-memory", "--bind", "0.0.0.0");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("MAYFLY_COSMOS_KEY", "--cosmos-port off");
  }

  @Test
  void remoteAccessNeedsALongKey() {
    CommandLineRun run =
        CommandLineRun.of("serve", "--in-memory", "--bind", "0.0.0.0", "--cosmos-key", "YWJj");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("3 bytes", "32");
    CommandLineRun nonsense = CommandLineRun.of("serve", "--in-memory", "--cosmos-key", "!!");
    assertThat(nonsense.exit()).isEqualTo(2);
    assertThat(nonsense.err()).contains("base64").doesNotContain("Exception");
  }

  @Test
  void authAlwaysRejectsTheEmulatorKey() {
    CommandLineRun known =
        CommandLineRun.of(
            "serve", "--in-memory", "--auth", "always", "--cosmos-key", MasterKey.WELL_KNOWN);
    assertThat(known.exit()).isEqualTo(2);
    assertThat(known.err()).contains("emulator's key");
  }

  @Test
  void contradictorySettingsAreRejected(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("mayfly.yaml");
    Files.writeString(file, "data: d\n");
    CommandLineRun run = CommandLineRun.of("serve", "--config", file.toString(), "--in-memory");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("only one of them");
  }

  @Test
  void environmentVariablesAreRead() {
    CommandLineRun run = CommandLineRun.in(Map.of("MAYFLY_AUTH", "nevr"), "serve", "--in-memory");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("MAYFLY_AUTH", "Did you mean never?");
  }

  @Test
  void aotTrainingOpensAndClosesAServer() {
    assertThat(CommandLineRun.of("aot-training")).isEqualTo(new CommandLineRun(0, "", ""));
  }

  @Test
  void theCompletionScriptIsPrinted() {
    CommandLineRun run = CommandLineRun.of("completion");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("complete -F", "--mongo-port");
  }
}
