/**
 * Queries over items: query plans, pages of results, continuation tokens.
 *
 * <p>Entry points: {@link dev.mayfly.cosmos.query.RunQuery} and {@link
 * dev.mayfly.cosmos.query.PlanQuery} are the endpoints; {@link
 * dev.mayfly.cosmos.query.ResourceQueries} queries lists of other resources. {@code QueryPage}
 * chooses one of three ways to fill a page: {@code CachedPage}, {@code ComputedPage}, {@code
 * StreamedPage}. The server executes the whole query; between pages it keeps only a cache.
 * Endpoints are shared by all connections; a page belongs to one thread.
 */
@NullMarked
package dev.mayfly.cosmos.query;

import org.jspecify.annotations.NullMarked;
