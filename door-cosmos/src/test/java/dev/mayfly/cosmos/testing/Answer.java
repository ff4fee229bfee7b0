package dev.mayfly.cosmos.testing;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** What the door answered. */
public record Answer(HttpResponse<byte[]> response) {
  public int status() {
    return response.statusCode();
  }

  /** The header, or an empty text. */
  public String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  public String text() {
    return new String(response.body(), java.nio.charset.StandardCharsets.UTF_8);
  }

  /** The body; empty when there is none. */
  public Document body() {
    return response.body().length == 0
        ? Document.EMPTY
        : Json.parse(response.body(), Limits.COSMOS);
  }

  /** Returns the value at a path of the body. */
  public Value at(String dotted) {
    return body().at(FieldPath.of(dotted));
  }

  /** The text at a path of the body. */
  public String string(String dotted) {
    return at(dotted).asString();
  }

  /** The ids of the items in the body of a feed. */
  public List<String> ids() {
    return list("Documents").stream().map(item -> item.field("id").asString()).toList();
  }

  /** The status of each operation of a batch. */
  public List<Integer> statuses() {
    List<Integer> all = new ArrayList<>();
    var fields = Json.parseValue(response.body(), Limits.COSMOS).asDocument().fields();
    while (fields.next()) {
      all.add(fields.value().asDocument().field("statusCode").asInt());
    }
    return all;
  }

  /** The documents of a list in the body. */
  public List<Document> list(String name) {
    List<Document> all = new ArrayList<>();
    var fields = body().field(name).asDocument().fields();
    while (fields.next()) {
      all.add(fields.value().asDocument());
    }
    return all;
  }
}
