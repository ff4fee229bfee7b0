/**
 * Evaluation of Cosmos DB SQL: scalar expressions over rows, clauses, aggregates and built-in
 * functions. {@code dev.mayfly.sql.compiler} parses and compiles queries.
 *
 * <p>Undefined is {@link dev.mayfly.value.Value#MISSING}. Compiled parts are immutable and shared;
 * a {@link dev.mayfly.sql.Row} belongs to one thread. Depends on the value and query modules.
 */
@NullMarked
package dev.mayfly.sql;

import org.jspecify.annotations.NullMarked;
