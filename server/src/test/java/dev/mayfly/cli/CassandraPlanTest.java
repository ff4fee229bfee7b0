package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of Cassandra that are wrong, without a node. */
class CassandraPlanTest {
  private static void assertRefused(String sentence, String... arguments) {
    CommandLineRun run = CommandLineRun.in(Map.of(), arguments);
    assertThat(run.err()).contains(sentence);
    assertThat(run.exit()).isEqualTo(2);
  }

  @Test
  void settingsThatContradictEachOtherAreRefused() {
    assertRefused("Both cassandra and data are set", "serve", "--cassandra=a", "--data=x");
    assertRefused("Both cassandra and in-memory are set", "serve", "--cassandra=a", "--in-memory");
    assertRefused("cassandra-user is set, but cassandra is not", "serve", "--cassandra-user=u");
    assertRefused("is set, but no password", "serve", "--cassandra=a", "--cassandra-user=u");
    assertRefused(
        "A password for Cassandra is set, but cassandra-user is not",
        "serve",
        "--cassandra=a",
        "--cassandra-password=p");
  }

  @Test
  void settingsOfOtherServersAreRefused() {
    assertRefused("peer-port is set, but cassandra is not", "serve", "--peer-port=7000");
    assertRefused("lease-seconds is set, but cassandra is not", "serve", "--lease-seconds=5");
    assertRefused("Both cassandra and seed are set", "serve", "--cassandra=a", "--seed=x");
    assertRefused(
        "Both cassandra and test-clock are set", "serve", "--cassandra=a", "--test-clock");
    assertRefused("needs a key that all servers share", "serve", "--cassandra=a", "--auth=always");
    assertRefused(
        "peer-host is 'no.such.invalid', which this machine cannot resolve",
        "serve",
        "--cassandra=a",
        "--peer-host=no.such.invalid");
    assertRefused("lease-seconds", "serve", "--cassandra=a", "--lease-seconds=1");
    assertRefused("max-clock-skew", "serve", "--cassandra=a", "--max-clock-skew=never");
    assertRefused("topology", "serve", "--cassandra=a", "--topology=ring");
  }

  @Test
  void invalidValuesAreRefused(@TempDir Path directory) throws Exception {
    assertRefused("neither HOST nor HOST:PORT", "serve", "--cassandra=a b");
    assertRefused("neither HOST nor HOST:PORT", "serve", "--cassandra=a,,b");
    assertRefused("invalid keyspace 'No'", "serve", "--cassandra=a", "--cassandra-keyspace=No");
    Path file = directory.resolve("absent");
    assertRefused(
        "cassandra-password-file: there is no readable file",
        "serve",
        "--cassandra=a",
        "--cassandra-user=u",
        "--cassandra-password-file=" + file);
    assertRefused(
        "cassandra-config: there is no readable file",
        "serve",
        "--cassandra=a",
        "--cassandra-config=" + file);
    Files.writeString(file, "secret\n");
    assertRefused(
        "Both cassandra-password and cassandra-password-file are set",
        "serve",
        "--cassandra=a",
        "--cassandra-user=u",
        "--cassandra-password=p",
        "--cassandra-password-file=" + file);
  }
}
