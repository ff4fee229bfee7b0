/**
 * Mayfly inside a JUnit test, on a clock moved by hand: a test of expiry takes milliseconds.
 *
 * <p>Enter through {@link dev.mayfly.testkit.MayflyExtension}. May use {@code app} and what app
 * uses, and the JUnit Jupiter API. An extension belongs to the thread that runs its test; the
 * engine it gives out is safe for many.
 */
@NullMarked
package dev.mayfly.testkit;

import org.jspecify.annotations.NullMarked;
