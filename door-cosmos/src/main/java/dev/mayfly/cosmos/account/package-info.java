/**
 * Endpoints of all resources except items: the account, databases, containers, offers, users,
 * permissions, scripts; and Mayfly's forecast, what-if and undo.
 *
 * <p>Each class has the endpoints of one resource type; {@code Routes} lists them. Uses {@code
 * container} and {@code auth}. Safe for many threads.
 */
@NullMarked
package dev.mayfly.cosmos.account;

import org.jspecify.annotations.NullMarked;
