package dev.mayfly.mongo;

import dev.mayfly.mongo.MongoSettings.Security;
import dev.mayfly.mongo.admin.Totals;
import dev.mayfly.net.ByteBudget;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * State that all connections share.
 *
 * @param memory the budget for bytes in flight of all connections
 * @param ticker monotonic nanoseconds
 * @param workers runs blocking tasks, each in a thread of its own
 * @param warnings limits how often warnings about clients are logged
 * @param browserHint what a browser gets that is directed at this port by mistake
 * @param onEnd called once when a connection has ended
 */
record ConnectionContext(
    Security security,
    ByteBudget memory,
    LongSupplier ticker,
    MessageHandler dispatcher,
    Totals totals,
    Executor workers,
    SparseLog warnings,
    AtomicReference<String> browserHint,
    Consumer<Connection> onEnd) {}
