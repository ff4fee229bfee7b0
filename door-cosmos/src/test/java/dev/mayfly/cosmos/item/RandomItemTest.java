package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random items, patches and batches, valid and malformed. */
@ExtendWith(SeedExtension.class)
final class RandomItemTest {
  private static final String X = Shop.pk("x");
  private static final List<String> NAMES =
      List.of("a", "b", "ttl", "", "é", "x.y", "0", "$s", "_e");

  private final Shop shop = Shop.inMemory();

  @BeforeEach
  void begin() {
    shop.container("{'id':'items','partitionKey':{'paths':['/pk'],'kind':'Hash'}}");
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void randomItemsAreReadAsTheyWereWritten(Random random) {
    for (int i = 0; i < 100; i++) {
      Document item = item(random, "i" + i);
      String json = Json.write(item);
      assertThat(shop.raw("POST", Shop.DOCS, json, X).status()).as(json).isEqualTo(201);
      Document read = shop.get(Shop.DOCS + "/i" + i, X).body();
      assertThat(Json.write(own(read))).isEqualTo(json);
    }
  }

  @Test
  void malformedRequestsAreRejected(Random random) {
    shop.raw("POST", Shop.DOCS, "{\"id\":\"1\",\"pk\":\"x\",\"a\":[1,{}]}", X);
    for (int i = 0; i < 300; i++) {
      String body = broken(random, body(random));
      Answer answer =
          switch (random.nextInt(5)) {
            case 0 -> shop.raw("POST", Shop.DOCS, body, X);
            case 1 -> shop.raw("PUT", Shop.DOCS + "/1", body, X);
            case 2 -> shop.raw("PATCH", Shop.DOCS + "/1", body, X);
            case 3 -> batch(body, "true");
            default -> batch(body, "false");
          };
      assertThat(answer.status()).as(body).isNotEqualTo(500);
      assertThat(answer.header("x-ms-request-charge")).as(body).isNotEmpty();
    }
    assertThat(shop.get(Shop.DOCS).status()).isEqualTo(200);
  }

  private Answer batch(String body, String atomic) {
    return shop.raw(
        "POST",
        Shop.DOCS,
        body,
        X,
        "x-ms-cosmos-is-batch-request: true",
        "x-ms-cosmos-batch-atomic: " + atomic);
  }

  private static String body(Random random) {
    String item = Json.write(item(random, "1"));
    String value = Json.write(value(random, 2));
    String operation =
        "{\"op\":\"%s\",\"path\":\"/%s/%d\",\"from\":\"/a\",\"value\":%s}"
            .formatted(
                List.of("add", "set", "replace", "remove", "incr", "move").get(random.nextInt(6)),
                NAMES.get(random.nextInt(2)),
                random.nextInt(3),
                value);
    String patch = "{\"operations\":[" + operation + "]}";
    return switch (random.nextInt(4)) {
      case 0 -> item;
      case 1 -> patch;
      case 2 -> "[{\"operationType\":\"Upsert\",\"resourceBody\":" + item + "}]";
      default -> "[{\"operationType\":\"Patch\",\"id\":\"1\",\"resourceBody\":" + patch + "},{}]";
    };
  }

  /** The text with a few characters gone, doubled or changed. */
  private static String broken(Random random, String text) {
    StringBuilder broken = new StringBuilder(text);
    for (int i = random.nextInt(4); i > 0 && !broken.isEmpty(); i--) {
      int at = random.nextInt(broken.length());
      switch (random.nextInt(3)) {
        case 0 -> broken.deleteCharAt(at);
        case 1 -> broken.insert(at, broken.charAt(at));
        default -> broken.setCharAt(at, "{}[]\",:0e-\\\u0000é".charAt(random.nextInt(13)));
      }
    }
    return broken.toString();
  }

  private static Document own(Document item) {
    DocumentWriter writer = Document.writer();
    for (var fields = item.fields(); fields.next(); ) {
      if (!ItemForm.system(fields.name())) {
        writer.put(fields);
      }
    }
    return writer.build();
  }

  private static Document item(Random random, String id) {
    DocumentWriter writer = Document.writer().put("id", id).put("pk", "x");
    for (int i = 0; i < 4; i++) {
      writer.put(NAMES.get(random.nextInt(NAMES.size())) + i, value(random, 3));
    }
    return writer.build();
  }

  private static Value value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 6)) {
      case 0 -> Value.NULL;
      case 1 -> Value.of(random.nextBoolean());
      case 2 -> Value.of(random.nextLong() >> random.nextInt(64));
      case 3 -> Value.of(Math.scalb(random.nextDouble() - 0.5, random.nextInt(600) - 300));
      case 4 -> Value.of("\u0001\"\\/é\ud83d\ude00x".substring(0, random.nextInt(5)));
      case 5 -> Value.of("a".repeat(random.nextInt(50)));
      case 6 -> Value.array(List.of(value(random, depth - 1), value(random, depth - 1)));
      default ->
          Value.of(
              Document.writer()
                  .put(NAMES.get(random.nextInt(NAMES.size())), value(random, depth - 1))
                  .build());
    };
  }
}
