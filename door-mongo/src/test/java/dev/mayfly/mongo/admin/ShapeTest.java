package dev.mayfly.mongo.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ShapeTest {
  private static String shape(String body, Map<String, List<Document>> sequences) {
    Client client = new Client(1, "there:1", "here:1");
    return Shape.of(new Request(client, Operation.unlimited(0), document(body), sequences))
        .toString();
  }

  private static String shape(String body) {
    return shape(body, Map.of());
  }

  private static Document document(String json) {
    return ExtendedJson.parse(json, Limits.MONGO);
  }

  @Test
  void shapeHasFieldsAndOperatorsWithoutValues() {
    assertThat(
            shape(
                "{\"find\": \"c\", \"filter\": {\"a\": {\"$gt\": 5, \"$in\": [1, 2]}, \"$or\":"
                    + " [{\"b\": \"secret\"}, {\"c.d\": null}]}, \"sort\": {\"a\": -1},"
                    + " \"limit\": 7, \"$db\": \"d\", \"comment\": \"by ada\"}"))
        .isEqualTo(
            "{\"find\":\"?\",\"filter\":{\"a\":{\"$gt\":\"?\",\"$in\":\"?\"},"
                + "\"$or\":[{\"b\":\"?\"},{\"c.d\":\"?\"}]},\"sort\":{\"a\":-1},\"limit\":7}");
  }

  @Test
  void expressionsInAProjectionAreOmitted() {
    assertThat(shape("{\"find\": \"c\", \"projection\": {\"a\": \"$secret\"}, \"$db\": \"d\"}"))
        .doesNotContain("secret");
  }

  @Test
  void valuesOfAnExplainedCommandAreOmitted() {
    assertThat(
            shape(
                "{\"explain\": {\"find\": \"c\", \"filter\": {\"a\": \"secret\"}},"
                    + " \"$db\": \"d\"}"))
        .isEqualTo("{\"explain\":{\"find\":\"?\",\"filter\":{\"a\":\"?\"}}}");
  }

  @Test
  void onlyFirstStatementsOfASequenceAreShown() {
    Document update = document("{\"q\": {\"a\": \"secret\"}, \"u\": {\"$set\": {\"b\": 1}}}");
    List<Document> many = List.of(update, update, update, update, update, update);
    String one = "{\"q\":{\"a\":\"?\"},\"u\":{\"$set\":{\"b\":\"?\"}}}";
    assertThat(shape("{\"update\": \"c\", \"$db\": \"d\"}", Map.of("updates", many)))
        .isEqualTo(
            "{\"update\":\"?\",\"updates\":["
                + String.join(",", List.of(one, one, one, one))
                + "]}");
    assertThat(shape("{\"insert\": \"c\", \"$db\": \"d\"}", Map.of("documents", many)))
        .isEqualTo("{\"insert\":\"?\"}");
  }

  @Test
  void shapeOfALoginIsItsNameOnly() {
    assertThat(shape("{\"saslStart\": 1, \"payload\": \"secret\", \"$db\": \"admin\"}"))
        .isEqualTo("{\"saslStart\":\"?\"}");
  }
}
