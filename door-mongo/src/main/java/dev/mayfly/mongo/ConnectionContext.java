package dev.mayfly.mongo;

import dev.mayfly.mongo.MongoSettings.Security;
import dev.mayfly.mongo.admin.Totals;
import dev.mayfly.net.ByteBudget;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * What conversations share.
 *
 * @param memory what the bytes in flight of all of them may use
 * @param ticker nanoseconds that go on by themselves
 * @param workers run what may wait, each in a thread of its own
 * @param warnings which of the warnings about clients are logged
 * @param onEnd told once when a conversation is over
 */
record ConnectionContext(
    Security security,
    ByteBudget memory,
    LongSupplier ticker,
    Dispatcher dispatcher,
    Totals totals,
    Executor workers,
    SparseLog warnings,
    Consumer<Connection> onEnd) {}
