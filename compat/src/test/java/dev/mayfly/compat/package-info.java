/**
 * What other people's programs do with MongoDB, done with Mayfly.
 *
 * <p>Every test talks to a server that is a process of its own, through a driver, shell or library
 * as it is published: what is tested is what their users would see. Nothing here reaches behind the
 * wire.
 */
@NullMarked
package dev.mayfly.compat;

import org.jspecify.annotations.NullMarked;
