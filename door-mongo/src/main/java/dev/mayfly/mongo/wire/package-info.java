/**
 * MongoDB's wire protocol: frames and messages.
 *
 * <p>{@link dev.mayfly.mongo.wire.FrameBuffer} assembles frames, {@link
 * dev.mayfly.mongo.wire.Message#decode} decodes them, {@link dev.mayfly.mongo.wire.Reply} encodes
 * replies. Independent of commands. An invalid frame closes the connection ({@link
 * dev.mayfly.mongo.wire.WireException}); a valid frame with invalid BSON gets an error reply.
 *
 * <p>Every frame has its own array, which is never reused. The documents of a request are views of
 * it. So a command may keep a document of its request without a copy, but that keeps the whole
 * array in memory.
 */
@NullMarked
package dev.mayfly.mongo.wire;

import org.jspecify.annotations.NullMarked;
