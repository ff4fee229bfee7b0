/**
 * Who may do what: the master key of the account and the resource tokens of permissions.
 *
 * <p>Uses {@code rest}, {@code container} and, for permissions on items, {@code item}. Safe for
 * many threads.
 */
@NullMarked
package dev.mayfly.cosmos.auth;

import org.jspecify.annotations.NullMarked;
