package dev.mayfly.mongo;

import dev.mayfly.mongo.MongoSettings.Security;
import dev.mayfly.mongo.admin.Totals;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What conversations share.
 *
 * @param workers run what may wait, each in a thread of its own
 * @param onEnd told once when a conversation is over
 */
record Answers(
    Security security,
    Dispatcher dispatcher,
    Totals totals,
    Executor workers,
    Consumer<Connection> onEnd) {}
