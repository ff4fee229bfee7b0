/**
 * Commands about the server itself: what it is, how it is doing, how it is set.
 *
 * <p>{@link dev.mayfly.mongo.topology.Topology} is what all of them tell of the replica set. One
 * file per command. Safe for many threads.
 */
@NullMarked
package dev.mayfly.mongo.admin;

import org.jspecify.annotations.NullMarked;
