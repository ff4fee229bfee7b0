/**
 * Topology commands: how drivers discover the server and its replica set.
 *
 * <p>{@link dev.mayfly.mongo.topology.Topology} describes this server as a replica set of one;
 * {@link dev.mayfly.mongo.topology.HelloCommand} answers the handshake. One topology per server,
 * thread-safe.
 */
@NullMarked
package dev.mayfly.mongo.topology;

import org.jspecify.annotations.NullMarked;
