/**
 * Change streams: the feeds of collections as the events that drivers know.
 *
 * <p>Start at {@link dev.mayfly.mongo.change.ChangeStreams}, the {@code $changeStream} stage.
 * Events of several collections come in the order of the engine's one count of writes.
 */
@NullMarked
package dev.mayfly.mongo.change;

import org.jspecify.annotations.NullMarked;
