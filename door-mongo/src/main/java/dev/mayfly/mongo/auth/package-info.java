/**
 * Who may do what: users and their roles, logins by SCRAM, and the check before each command.
 *
 * <p>Start at {@link dev.mayfly.mongo.auth.Guard}. {@link dev.mayfly.mongo.auth.Users} keeps users
 * in {@code admin.system.users} in the form MongoDB gives them: salted keys, never a password. One
 * file per command. Safe for many threads.
 */
@NullMarked
package dev.mayfly.mongo.auth;

import org.jspecify.annotations.NullMarked;
