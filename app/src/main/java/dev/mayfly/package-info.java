/** Wiring. */
@NullMarked
package dev.mayfly;

import org.jspecify.annotations.NullMarked;
