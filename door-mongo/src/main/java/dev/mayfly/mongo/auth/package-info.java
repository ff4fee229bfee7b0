/**
 * Authentication and authorization: users, roles, SCRAM, and the privilege check of each command.
 *
 * <p>Start at {@link dev.mayfly.mongo.auth.Guard}. {@link dev.mayfly.mongo.auth.Users} stores users
 * in {@code admin.system.users} in MongoDB's format: salted keys, never a password. One file per
 * command. Safe for many threads.
 */
@NullMarked
package dev.mayfly.mongo.auth;

import org.jspecify.annotations.NullMarked;
