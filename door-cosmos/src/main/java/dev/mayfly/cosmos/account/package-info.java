/**
 * What is done to everything but items: the account, databases, containers, throughput, users,
 * permissions, scripts; and what Mayfly adds to containers: forecast, what if, undo.
 *
 * <p>Each class holds the operations on one kind of resource; {@code Routes} lists them. Uses
 * {@code container} and {@code auth}. Safe for many threads.
 */
@NullMarked
package dev.mayfly.cosmos.account;

import org.jspecify.annotations.NullMarked;
