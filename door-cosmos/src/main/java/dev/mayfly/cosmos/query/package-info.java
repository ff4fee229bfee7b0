/**
 * Queries over items: plans for clients, pages of results, and where the next page begins.
 *
 * <p>Entry points: {@link dev.mayfly.cosmos.query.RunQuery} and {@link
 * dev.mayfly.cosmos.query.PlanQuery} are the endpoints; {@link
 * dev.mayfly.cosmos.query.ResourceQueries} lends the language to lists of other resources. A query
 * is answered whole by the server; between two of its pages nothing is kept that could not be
 * computed again. Endpoints are shared by all connections; an answer in the making belongs to one
 * thread.
 */
@NullMarked
package dev.mayfly.cosmos.query;

import org.jspecify.annotations.NullMarked;
