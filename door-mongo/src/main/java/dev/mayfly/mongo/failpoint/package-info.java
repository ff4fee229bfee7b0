/**
 * Fail points: faults that tests inject into commands.
 *
 * <p>Start at {@link dev.mayfly.mongo.failpoint.FailPoints}, which is called before and after every
 * command; {@link dev.mayfly.mongo.failpoint.ConfigureFailPointCommand} sets them, on servers with
 * test commands enabled. One set per server, thread-safe.
 */
@NullMarked
package dev.mayfly.mongo.failpoint;

import org.jspecify.annotations.NullMarked;
