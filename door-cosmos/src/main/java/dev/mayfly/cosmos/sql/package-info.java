/**
 * The text of SQL queries: from characters to a syntax tree, and from the tree to something that
 * can be run.
 *
 * <p>Entry points: {@link dev.mayfly.cosmos.sql.Parser} reads a query, {@link
 * dev.mayfly.cosmos.sql.Compiler} checks what it means and compiles it, {@link
 * dev.mayfly.cosmos.sql.SqlException} says what is wrong and where, in the service's own form.
 * Trees and compiled queries are immutable. Depends on the value and query modules alone; knows
 * nothing of containers.
 */
@NullMarked
package dev.mayfly.cosmos.sql;

import org.jspecify.annotations.NullMarked;
