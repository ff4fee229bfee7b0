/**
 * Fail points: faults that tests inject into commands.
 *
 * <p>Start at {@link dev.mayfly.mongo.failpoint.FailPoints}, which every command passes; {@link
 * dev.mayfly.mongo.failpoint.ConfigureFailPointCommand} sets them, on servers with test commands
 * enabled. One set per server, safe for many threads.
 */
@NullMarked
package dev.mayfly.mongo.failpoint;

import org.jspecify.annotations.NullMarked;
