/**
 * Logical sessions, transactions and snapshot reads: state of a client across requests and
 * connections.
 *
 * <p>Start at {@link dev.mayfly.mongo.session.Sessions}. A session is created by the first request
 * that names it, and ends when its client ends it or after half an hour without a request. One file
 * per command. Safe for many threads.
 */
@NullMarked
package dev.mayfly.mongo.session;

import org.jspecify.annotations.NullMarked;
