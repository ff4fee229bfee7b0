/**
 * Cluster: which server serves which cell.
 *
 * <p>A cell is a whole engine with its collections, owned by one server at a time. A database lives
 * in one cell. Start at {@link dev.mayfly.cluster.Cells}: doors ask it for the {@link
 * dev.mayfly.cluster.Route} of a database and run requests by a {@link dev.mayfly.cluster.Router}.
 * {@link dev.mayfly.cluster.SharedCells} serves them with other servers, over a {@link
 * dev.mayfly.store.Board}. This module knows no protocol and no particular store.
 */
@NullMarked
package dev.mayfly.cluster;

import org.jspecify.annotations.NullMarked;
