/**
 * Parser and compiler of Cosmos DB SQL.
 *
 * <p>Entry points: {@link dev.mayfly.sql.compiler.Parser} parses a query into a syntax tree, {@link
 * dev.mayfly.sql.compiler.Compiler} validates and compiles it, {@link
 * dev.mayfly.sql.compiler.SqlException} reports errors with their positions in the form of Cosmos
 * DB. Trees and compiled queries are immutable. Depends on the value and query modules; knows
 * nothing of containers.
 */
@NullMarked
package dev.mayfly.sql.compiler;

import org.jspecify.annotations.NullMarked;
