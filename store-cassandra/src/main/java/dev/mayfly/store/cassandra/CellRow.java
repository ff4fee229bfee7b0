package dev.mayfly.store.cassandra;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Row of a cell. Only conditional statements change it, so Paxos gives its changes an order.
 *
 * @param epoch of the owner: the fence
 * @param owner that claimed the cell; null before the first claim
 * @param last number of the last committed log entry
 * @param made epoch of that entry
 * @param stamp of that entry
 * @param flushed entries up to this number are in leaves
 * @param floor no later owner may serve an instant before this one
 */
record CellRow(
    long epoch, @Nullable UUID owner, long last, long made, long stamp, long flushed, long floor) {}
