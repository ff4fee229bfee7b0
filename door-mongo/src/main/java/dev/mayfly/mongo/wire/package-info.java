/**
 * What goes over a connection: messages in and out, byte by byte.
 *
 * <p>{@link dev.mayfly.mongo.wire.FrameBuffer} puts frames together, {@link
 * dev.mayfly.mongo.wire.Message#decode} says what a frame is, {@link dev.mayfly.mongo.wire.Reply}
 * writes the answer. Knows no command. What is broken as a frame ends the connection ({@link
 * dev.mayfly.mongo.wire.WireException}); what is broken inside a frame is answered.
 *
 * <p>Every frame has an array of its own that is never used again: the documents of a request are
 * views of it, and whoever keeps one keeps the array. So a command may keep any document of its
 * request for as long as it likes, and nobody has to copy.
 */
@NullMarked
package dev.mayfly.mongo.wire;

import org.jspecify.annotations.NullMarked;
