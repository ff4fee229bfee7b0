/**
 * Background work on a shard: sweep, index builds, feed trimming, lazy indexing, check.
 *
 * <p>The sweep writes expiries to the feed and removes expired documents. Its policy, with the
 * numbers:
 *
 * <ul>
 *   <li><b>Who works.</b> One task sweeps each shard. One builds and one trims for each collection.
 *       They share half of the processors, 2 to 8 threads. Transactions, dropped collections and
 *       the catalog's log have a thread of their own, compactions for space another one: at most
 *       one shard is compacted at a time, and nothing waits for it. Closing aborts it.
 *   <li><b>Whose turn it is.</b> A task does one slice (2,000 lane entries, 200 documents deleted
 *       one by one, or 10 ms of a build in batches of 100 documents) and goes to the end of the
 *       queue. Within a shard the lanes take turns. A task without work is not visited: it sleeps
 *       until its next document is due, 60 s at most. Where a cursor may still read what is due,
 *       the sweep looks again after 50 ms, then twice as long each time up to 800 ms.
 *   <li><b>Foreground first.</b> A slice during which operations of the foreground began is
 *       followed by a rest of 4 times its length, 20 ms at most, times the number of tasks that
 *       have more to do: together they take a fifth of one processor.
 *   <li><b>But not without end.</b> The longer a shard has had more to sweep than it did, the
 *       shorter its rests: half of it after 5 s, none after 10 s. It then takes a whole processor,
 *       so that the backlog shrinks whatever comes in, as far as one processor can. In the same way
 *       the sweep lets users of a collection with a limit of request units go first, 20 times 2 ms
 *       while it keeps up.
 *   <li><b>Failures.</b> A task that fails, with whatever is thrown, is tried again after 250 ms,
 *       then twice as long each time up to 60 s. After 3 failures in a row an alarm is raised;
 *       success clears it. No other task is affected.
 *   <li><b>Space.</b> A shard is compacted for its dead alone when they are a quarter of its
 *       documents and take 64 MiB of what its records and entries take on disk; a sixteenth of its
 *       documents is enough while there is no room. What is owed is remembered across restarts,
 *       reduced by what other compactions drop, and paid only by a compaction that succeeds.
 *       Compactions that RocksDB does by itself drop what was swept as soon as the sweep's marks
 *       are on disk; where nobody has them flushed they are every 10 s. A run of 256 dead entries
 *       that a reader walks over is removed before that, by a range delete.
 *   <li><b>A full disk.</b> While the store has no room, the older half of every feed of more than
 *       1 MiB is removed, whatever its age, every 10 s.
 *   <li><b>Lanes without a rule.</b> Their marks are compared with every record that is read. Once
 *       a collection has 8 such lanes its shards are read, what is left of documents that expired
 *       by them is deleted, and lanes and marks are removed; not while a cursor is open that is
 *       older.
 * </ul>
 */
@NullMarked
package dev.mayfly.engine.sweep;

import org.jspecify.annotations.NullMarked;
