/**
 * Background work on a shard: sweep, index builds, feed trimming, lazy indexing, check.
 *
 * <p>The sweep writes expiries to the feed and removes expired documents. Its policy, with the
 * numbers:
 *
 * <ul>
 *   <li><b>Threads.</b> Each shard has one task for the sweep. Each collection has one for builds
 *       and one for trimming. These tasks share 2 to 8 threads, for half of the processors. Another
 *       thread handles transaction timeouts, dropped collections and the catalog log. A further
 *       thread runs compactions for space: at most one shard is compacted at a time, and no other
 *       task waits for it. Closing the engine aborts it.
 *   <li><b>Slices.</b> A task runs one slice (2,000 lane entries, 200 documents deleted one by one,
 *       or 10 ms of a build in batches of 100 documents) and goes to the end of the queue. Within a
 *       shard the lanes take turns. A task without work sleeps until its next document is due, at
 *       most 60 s. If an open cursor may still read the documents that are due, the sweep tries
 *       again after 50 ms, then after twice as long each time, up to 800 ms.
 *   <li><b>Foreground first.</b> If foreground operations began during a slice, or a query is open
 *       that began in the last 10 s, the task rests for 4 times the length of the slice, at most 20
 *       ms, times the number of tasks that have more work. Together these tasks use about a fifth
 *       of one processor.
 *   <li><b>Lag.</b> The longer the sweep of a shard lags, the shorter its rests: half as long after
 *       5 s, no rest after 10 s. It then uses a whole processor. In the same way, if the request
 *       units of a collection are used up, its sweep waits up to 20 times 2 ms while it keeps up,
 *       and less if it lags.
 *   <li><b>Failures.</b> A task that throws anything is retried after 250 ms, then after twice as
 *       long each time, up to 60 s. After 3 failures in a row it raises an alarm; a success clears
 *       it. Other tasks are not affected.
 *   <li><b>Space.</b> Space of a shard is reclaimed when a quarter of its bytes on disk is dead,
 *       and 64 MiB of them; on a full disk, a sixteenth is enough. First, ranges without a document
 *       are erased. Then records or index entries, of which more is dead, are compacted; both, if
 *       what is left would still be enough. The debt (bytes swept and not reclaimed) is stored,
 *       reduced by what other compactions drop, and cleared by a compaction that succeeds.
 *       Automatic compactions of RocksDB drop swept documents as soon as the marks of the sweep are
 *       on disk; a task flushes the marks every 10 s. If a scan meets a run of 256 dead entries, a
 *       range delete removes it earlier.
 *   <li><b>A full disk.</b> While the disk is full, the older half of every feed above 1 MiB is
 *       removed every 10 s, regardless of the retention.
 *   <li><b>Lanes without a rule.</b> Their marks are compared with every record that is read. Once
 *       a collection has 8 such lanes, a task scans its shards, deletes the remaining entries of
 *       documents that were swept on these lanes, and removes the lanes and marks, unless an older
 *       cursor is still open.
 * </ul>
 */
@NullMarked
package dev.mayfly.engine.sweep;

import org.jspecify.annotations.NullMarked;
