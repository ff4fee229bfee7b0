/**
 * Limits of running work.
 *
 * <p>{@link dev.mayfly.query.limit.Interrupt} ends the work of a thread at its time limit or when
 * its request is killed. Depends on the JDK alone.
 */
@NullMarked
package dev.mayfly.query.limit;

import org.jspecify.annotations.NullMarked;
