/**
 * The MongoDB door: unmodified MongoDB drivers and tools talk to the engine through it.
 *
 * <p>{@link dev.mayfly.mongo.CommandTable} lists every command; each has a file of its own in the
 * package of its family. What the wire carries is decoded into a request, one command turns it into
 * calls of the engine, and what comes back is encoded again. May use the engine and what lies below
 * it, never another door or a store's own module.
 */
@NullMarked
package dev.mayfly.mongo;

import org.jspecify.annotations.NullMarked;
