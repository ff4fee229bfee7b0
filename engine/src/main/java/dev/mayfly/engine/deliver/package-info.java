/**
 * Delivery of expired documents to other collections, files and HTTP addresses.
 *
 * <p>The batch that removes an expired document puts its image into the archive queue of its shard.
 * An {@link dev.mayfly.engine.deliver.Archiver} reads the queues of one collection, delivers
 * batches and then removes them from the queue: at least once, in order per document. A batch is
 * delivered again if the engine stops between the two.
 *
 * <p>Deliveries run on two threads of their own. A failed one is repeated after 250 ms, then after
 * twice as long each time, up to 60 s, minus a random quarter. After 3 failures in a row the alarm
 * {@code archive} is raised. Nothing is delivered while the system clock is in doubt.
 */
@NullMarked
package dev.mayfly.engine.deliver;

import org.jspecify.annotations.NullMarked;
