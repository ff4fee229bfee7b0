/**
 * The MongoDB door: serves unmodified MongoDB drivers and tools with MongoDB's wire protocol.
 *
 * <p>{@link dev.mayfly.mongo.CommandTable} lists every command; each is one file in the package of
 * its family. {@link dev.mayfly.mongo.MongoDoor} accepts connections, {@code Connection} decodes
 * messages, {@code Dispatcher} runs the command and writes the reply. The door uses the engine's
 * API and the modules below it, never another door or an implementation of a store.
 */
@NullMarked
package dev.mayfly.mongo;

import org.jspecify.annotations.NullMarked;
