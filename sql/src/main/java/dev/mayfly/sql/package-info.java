/**
 * The evaluation of Cosmos DB SQL: compiled scalars over rows, the clauses of a query as steps,
 * aggregates, and the built-in functions. The text of queries and its errors belong to the door.
 *
 * <p>Undefined is {@link dev.mayfly.value.Value#MISSING} everywhere; nothing here throws because of
 * a document's shape. Compiled parts are immutable and shared; a {@link dev.mayfly.sql.Row} belongs
 * to one thread. Depends on the value module, and on the text patterns and the geometry beside it.
 */
@NullMarked
package dev.mayfly.sql;

import org.jspecify.annotations.NullMarked;
