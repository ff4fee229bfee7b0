/**
 * Mayfly in JUnit tests, on a clock that the test moves: a test of expiry takes milliseconds.
 *
 * <p>Entry point: {@link dev.mayfly.testkit.MayflyExtension}. May use {@code server} and below, and
 * the JUnit Jupiter API. An extension belongs to the thread of its test; the engine is safe for
 * many threads.
 */
@NullMarked
package dev.mayfly.testkit;

import org.jspecify.annotations.NullMarked;
