/**
 * Compatibility tests with published drivers, shells and libraries.
 *
 * <p>Every test uses a server in a separate process and sees only what a client sees.
 */
@NullMarked
package dev.mayfly.compat;

import org.jspecify.annotations.NullMarked;
