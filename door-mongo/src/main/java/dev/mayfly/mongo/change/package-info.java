/**
 * Change streams: converts the feeds of collections to change events.
 *
 * <p>Start at {@link dev.mayfly.mongo.change.ChangeStreams}, the {@code $changeStream} stage.
 * Events of several collections are in the order of the engine's sequence.
 */
@NullMarked
package dev.mayfly.mongo.change;

import org.jspecify.annotations.NullMarked;
