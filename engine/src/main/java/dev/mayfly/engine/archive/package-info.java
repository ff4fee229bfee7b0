/**
 * Actions on expiry, as users declare and see them: what happens to documents that have expired,
 * the limits that an operator sets, and how far the delivery is. Records only; the work is done in
 * {@code dev.mayfly.engine.deliver}.
 */
@NullMarked
package dev.mayfly.engine.archive;

import org.jspecify.annotations.NullMarked;
