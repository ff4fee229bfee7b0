package dev.mayfly.mongo.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.CommandException;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RequestTest {
  private static Request request(String json) {
    Client client = new Client(1, "127.0.0.1:50000", "127.0.0.1:27017");
    return new Request(
        client, Operation.unlimited(0), ExtendedJson.parse(json, Limits.MONGO), Map.of());
  }

  @Test
  void theFirstFieldNamesTheCommandAndItsCollection() {
    Request request = request("{\"find\":\"carts\",\"$db\":\"shop\"}");
    assertThat(request.name()).isEqualTo("find");
    assertThat(request.namespace()).hasToString("shop.carts");
  }

  @Test
  void nullFieldCountsAsAbsent() {
    Request request = request("{\"find\":\"c\",\"$db\":\"d\",\"limit\":null}");
    assertThat(request.number("limit", 7)).isEqualTo(7);
  }

  @Test
  void numberOutOfRangeBecomesTheNearestLong() {
    Request request = request("{\"find\":\"c\",\"$db\":\"d\",\"limit\":1e300}");
    assertThat(request.number("limit", 7)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void wrongTypeErrorNamesBothTypes() {
    Request request = request("{\"find\":\"c\",\"$db\":\"d\",\"limit\":\"x\",\"filter\":1}");
    assertThatThrownBy(() -> request.number("limit", 7))
        .hasMessage(
            "BSON field 'find.limit' is the wrong type 'string',"
                + " expected types '[long, int, decimal, double']");
    assertThatThrownBy(() -> request.document("filter"))
        .hasMessage("BSON field 'find.filter' is the wrong type 'int', expected type 'object'");
  }

  @Test
  void unknownFieldFails() {
    Request request = request("{\"find\":\"c\",\"$db\":\"d\",\"lsid\":{},\"colour\":1}");
    assertThatThrownBy(() -> request.allow(Set.of("filter")))
        .hasMessage("BSON field 'find.colour' is an unknown field.");
    request.allow(Set.of("colour"));
  }

  @Test
  void documentsComeFromAnArrayOrADocumentSequence() {
    Request request = request("{\"insert\":\"c\",\"$db\":\"d\",\"documents\":[{\"a\":1}]}");
    assertThat(request.documents("documents")).hasSize(1);
    Map<String, List<Document>> sequence = Map.of("documents", List.of());
    Document bare = request("{\"insert\":\"c\",\"$db\":\"d\"}").body();
    Request beside = new Request(request.client(), Operation.unlimited(0), bare, sequence);
    assertThat(beside.documents("documents")).isEmpty();
    assertThatThrownBy(
            () -> new Request(request.client(), Operation.unlimited(0), request.body(), sequence))
        .isInstanceOf(CommandException.class);
  }

  @Test
  void invalidNamesFail() {
    for (String database : List.of("", "a.b", "a b", "a$b", "a/b", "x".repeat(64))) {
      assertThatThrownBy(() -> Names.namespace(database, "c")).isInstanceOf(CommandException.class);
    }
    for (String collection : List.of("", ".a", "a$b", "x".repeat(255))) {
      assertThatThrownBy(() -> Names.namespace("d", collection))
          .isInstanceOf(CommandException.class);
    }
    assertThat(Names.namespace("d", "a.b")).hasToString("d.a.b");
  }
}
