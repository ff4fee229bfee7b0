/**
 * Who may do what: the master key of the account and the resource tokens of permissions.
 *
 * <p>Uses {@code rest} and {@code container}. Safe for many threads.
 */
@NullMarked
package dev.mayfly.cosmos.auth;

import org.jspecify.annotations.NullMarked;
