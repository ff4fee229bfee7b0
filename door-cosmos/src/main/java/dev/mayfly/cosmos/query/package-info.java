/**
 * Queries over items: plans for clients, pages of results, and where the next page begins.
 *
 * <p>Entry points: {@link dev.mayfly.cosmos.query.RunQuery} and {@link
 * dev.mayfly.cosmos.query.PlanQuery} are the endpoints; {@link
 * dev.mayfly.cosmos.query.ResourceQueries} lends the language to lists of other resources. A query
 * is answered whole by the server; nothing is kept between two of its pages. Endpoints are shared
 * by all connections; an answer in the making belongs to one thread.
 */
@NullMarked
package dev.mayfly.cosmos.query;

import org.jspecify.annotations.NullMarked;
