/**
 * Authentication and authorization: the master key of the account, resource tokens, permissions.
 *
 * <p>{@link dev.mayfly.cosmos.auth.Guard} authenticates, one per server; {@link
 * dev.mayfly.cosmos.auth.Permissions} authorizes bearers of resource tokens, one per engine. Uses
 * {@code rest}, {@code container} and, for permissions on items, {@code item}. Safe for many
 * threads.
 */
@NullMarked
package dev.mayfly.cosmos.auth;

import org.jspecify.annotations.NullMarked;
