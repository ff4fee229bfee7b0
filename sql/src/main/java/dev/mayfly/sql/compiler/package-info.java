/**
 * The text of SQL queries: from characters to a syntax tree, and from the tree to something that
 * can be run.
 *
 * <p>Entry points: {@link dev.mayfly.sql.compiler.Parser} reads a query, {@link
 * dev.mayfly.sql.compiler.Compiler} checks what it means and compiles it, {@link
 * dev.mayfly.sql.compiler.SqlException} says what is wrong and where, in the service's own form.
 * Trees and compiled queries are immutable. Depends on the value and query modules alone; knows
 * nothing of containers.
 */
@NullMarked
package dev.mayfly.sql.compiler;

import org.jspecify.annotations.NullMarked;
