package com.example;

import dev.mayfly.Mayfly;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Namespace;
import dev.mayfly.value.Document;
import java.nio.file.Path;

/** Sessions with a TTL of half an hour, in a directory. */
public final class Sessions implements AutoCloseable {
  private final Mayfly mayfly;
  private final Collection sessions;

  public Sessions(Path directory) {
    mayfly = Mayfly.open(directory);
    sessions =
        mayfly
            .engine()
            .find(new Namespace("web", "sessions"))
            .orElseGet(
                () ->
                    mayfly.create(
                        "web", "sessions", CollectionSpec.cosmos("user").withDefaultTtl(1800)));
  }

  public void begin(String user) {
    sessions.insert(Document.writer().put("id", "session").put("user", user).build());
  }

  public boolean has(String user) {
    return sessions.read(DocumentKey.of(user, "session")).isPresent();
  }

  @Override
  public void close() {
    mayfly.close();
  }
}
