package dev.mayfly.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConfigurationTest {
  private static final Map<String, String> NONE = Map.of();

  @Test
  void sourcesOverrideEachOtherInOrder() {
    Map<String, String> option = Map.of("mongo-port", "1");
    Map<String, String> variable = Map.of("MAYFLY_MONGO_PORT", "2");
    Map<String, String> file = Map.of("mongo-port", "3");
    assertThat(port(option, variable, file)).isEqualTo(1);
    assertThat(port(NONE, variable, file)).isEqualTo(2);
    assertThat(port(NONE, NONE, file)).isEqualTo(3);
    assertThat(port(NONE, NONE, NONE)).isEqualTo(27017);
  }

  private static int port(
      Map<String, String> options, Map<String, String> environment, Map<String, String> file) {
    return Configuration.of(options, environment, file, List.of()).number(Settings.MONGO_PORT);
  }

  @Test
  void anUnknownNameIsRejectedWithASuggestion() {
    assertThatThrownBy(() -> port(NONE, NONE, Map.of("mongoport", "1")))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("Unknown setting in the file: mongoport. Did you mean mongo-port?");
    assertThatThrownBy(() -> port(NONE, Map.of("MAYFLY_MONGO_PROT", "1"), NONE))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageEndingWith("Did you mean MAYFLY_MONGO_PORT?");
    assertThatThrownBy(() -> port(NONE, NONE, Map.of("quux", "1")))
        .hasMessage("Unknown setting in the file: quux.");
  }

  @Test
  void otherVariablesAreIgnored() {
    Map<String, String> environment = Map.of("PATH", "/bin", "MAYFLY_CONFIG", "x");
    Configuration read = Configuration.of(NONE, environment, NONE, List.of("MAYFLY_CONFIG"));
    assertThat(read.text(Settings.BIND)).isEqualTo("127.0.0.1");
  }

  @Test
  void anInvalidValueIsReportedWithItsSource() {
    assertThatThrownBy(() -> port(Map.of("mongo-port", "x"), NONE, NONE))
        .hasMessage("--mongo-port must be a number from 0 to 65535, not 'x'.");
    assertThatThrownBy(() -> port(NONE, Map.of("MAYFLY_MONGO_PORT", "65536"), NONE))
        .hasMessage("MAYFLY_MONGO_PORT must be a number from 0 to 65535, not '65536'.");
    assertThatThrownBy(() -> port(NONE, NONE, Map.of("auth", "allways")))
        .hasMessage(
            "auth in the file must be one of never, remote, always, not 'allways'. Did you"
                + " mean always?");
    assertThatThrownBy(() -> port(NONE, NONE, Map.of("memory", "1k")))
        .hasMessageStartingWith("memory in the file must be a size");
  }

  @ParameterizedTest
  @CsvSource({"4194304,4194304", "4m,4194304", "1G,1073741824", "8192k,8388608"})
  void sizesHaveUnits(String text, long bytes) {
    Configuration read = Configuration.of(Map.of("max-disk", text), NONE, NONE, List.of());
    assertThat(read.bytes(Settings.MAX_DISK)).isEqualTo(bytes);
  }

  @Test
  void aFileHasOneNameAndScalarPerLine() {
    assertThat(ConfigurationFile.parse("# ports\nmongo-port: 0\nin-memory: true\n", "f"))
        .isEqualTo(Map.of("mongo-port", "0", "in-memory", "true"));
    assertThat(ConfigurationFile.parse("", "f")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"'mongo: {port: 1}'", "'- data'", "'data: [a]'", "'data: x\ndata: y'", "'data: \"'"})
  void nestedValuesAreRejected(String yaml) {
    assertThatThrownBy(() -> ConfigurationFile.parse(yaml, "f"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("f");
  }

  @Test
  void settingNamesAreUnique() {
    assertThat(Settings.ALL).extracting(Setting::name).doesNotHaveDuplicates();
    assertThat(Settings.ALL).allSatisfy(s -> assertThat(s.text()).doesNotEndWith("."));
  }
}
