/**
 * The engine in one process: registry of collections, transactions, maintenance.
 *
 * <p>Enter through {@link dev.mayfly.engine.local.LocalEngine}, which implements {@link
 * dev.mayfly.engine.Engine} on a store. Safe for many threads, except cursors and transactions.
 */
@NullMarked
package dev.mayfly.engine.local;

import org.jspecify.annotations.NullMarked;
