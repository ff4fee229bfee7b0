package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Effective partition keys against those that clients compute. */
final class EffectiveKeyTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "['partitionKey']|05C1E1B3D9CD2608716273756A756A706F4C667A00",
        "['']|05C1CF33970FF80800",
        "['aa']|05C1C7B7270FE008626200",
        "[null]|05C1ED45D7475601",
        "[true]|05C1D7C5A903D803",
        "[false]|05C1DB857D857C02",
        "[{}]|05C1D529E345DC00",
        "[5]|05C1D9C1C5517C05C014",
        "[5.5]|05C1D7A771716C05C016",
        "[-128]|05C1D73349F54C053FA0",
        "[127]|05C1DD539DDFCC05C05FE0",
        "[-9223372036854775808]|05C1DB35F33D1C053C20",
        "[9223372036854775807]|05C1B799AB2DD005C3E0",
      })
  void version1MatchesTheSdk(String key, String expected) {
    assertThat(EffectiveKey.version1(values(key))).isEqualTo(expected);
  }

  @Test
  void version1TruncatesLongStrings() {
    String key = EffectiveKey.version1(List.of(Value.of("a".repeat(1024))));
    assertThat(key).isEqualTo("05C1EB5921F70608" + "62".repeat(100) + "00");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "['x']|11E3F358618BE9AA5BAFF4C7C74F0716",
        "['redmond']|22E342F38A486A088463DFF7838A5963",
        "['']|32E9366E637A71B4E710384B2F4970A0",
        "['aa']|05033626483AE80D00E44FBD35362B19",
        "[null]|378867E4430E67857ACE5C908374FE16",
        "[true]|0E711127C5B5A8E4726AC6DD306A3E59",
        "[false]|2FE1BE91E90A3439635E0E9E37361EF2",
        "[{}]|11622DAA78F835834610ABE56EFF5CB5",
        "[5]|19C08621B135968252FB34B4CF66F811",
        "[5.5]|0E2EE47829D1AF775EEFB6540FD1D0ED",
        "[12313.1221]|27E7ECA8F2EE3E53424DE8D5220631C6",
        "[123456789]|1F56D2538088EBA82CCF988F36E16760",
        "['redmond', 50, 5.5, true, false, null, '', 12313.1221]|1A5E512F591E980E07A6D8AD5BD5AB2F",
      })
  void version2MatchesTheSdk(String key, String expected) {
    assertThat(EffectiveKey.version2(values(key))).isEqualTo(expected);
  }

  @Test
  void version2HashesCompleteStrings() {
    assertThat(EffectiveKey.version2(List.of(Value.of("a".repeat(110)))))
        .isEqualTo("0BA3E9CA8EE4C14538828D1612A4B652");
  }

  @Test
  void hierarchicalKeysBeginWithTheHashOfTheirPrefix() {
    assertThat(EffectiveKey.hierarchical(values("['redmond', 5]")))
        .isEqualTo("22E342F38A486A088463DFF7838A5963" + "19C08621B135968252FB34B4CF66F811");
  }

  private static List<Value> values(String json) {
    List<Value> values = new ArrayList<>();
    Fields fields = Json.parseValue(json.replace('\'', '"'), Limits.COSMOS).asDocument().fields();
    while (fields.next()) {
      values.add(fields.value());
    }
    return values;
  }
}
