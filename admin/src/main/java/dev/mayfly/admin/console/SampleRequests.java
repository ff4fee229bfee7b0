package dev.mayfly.admin.console;

import dev.mayfly.mongo.InProcessSession.Answer;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Creates a small collection on an empty server, whose documents expire within minutes. */
final class SampleRequests {
  private static final String DATABASE = "sample";
  private static final String COLLECTION = "sessions";
  private static final int DOCUMENTS = 300;

  /** 300 documents in steps of 3 seconds: the last one expires after 15 minutes. */
  private static final long STEP_MILLIS = 3_000;

  private static final List<String> PAGES = List.of("/", "/cart", "/checkout", "/help");

  private final LongSupplier clock;

  /**
   * @param clock epoch milliseconds of the server
   */
  SampleRequests(LongSupplier clock) {
    this.clock = clock;
  }

  Document create(Call call) {
    run(
        call,
        Document.writer()
            .put("createIndexes", COLLECTION)
            .startArray("indexes")
            .startDocument()
            .put("key", Document.writer().put("expiresAt", 1).build())
            .put("name", "expiresAt_1")
            .put("expireAfterSeconds", 0)
            .end()
            .end()
            .build());
    long now = clock.getAsLong();
    List<Value> documents = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(
          Value.of(
              Document.writer()
                  .put("_id", "session-" + now + "-" + i)
                  .put("user", "user" + i % 40)
                  .put("page", PAGES.get(i % PAGES.size()))
                  .put("visits", i % 7 + 1)
                  .put("createdAt", Value.date(now))
                  .put("expiresAt", Value.date(now + (i + 1) * STEP_MILLIS))
                  .build()));
    }
    run(
        call,
        Document.writer()
            .put("insert", COLLECTION)
            .put("documents", Value.array(documents))
            .build());
    return Document.writer()
        .put("database", DATABASE)
        .put("collection", COLLECTION)
        .put("documents", DOCUMENTS)
        .build();
  }

  private static void run(Call call, Document command) {
    Answer answer = call.caller().session().run(DATABASE, command, call.stopped());
    if (!answer.done()) {
      throw MongoRequests.refusal(answer.reply());
    }
  }
}
