/**
 * Parsers of MongoDB's syntax, to the trees of {@code dev.mayfly.query} and {@code dev.mayfly.mql}.
 *
 * <p>One parser per part of the language: {@link dev.mayfly.mql.parser.FilterParser} for query
 * documents, {@link dev.mayfly.mql.parser.SortParser}, {@link
 * dev.mayfly.mql.parser.CollationParser}, {@link dev.mayfly.mql.parser.JsonSchemaParser} and so on.
 * Parsers read BSON and reject invalid syntax with MongoDB's error codes and messages; they
 * evaluate nothing but constants. Their results hold views of the bytes they were read from.
 */
@NullMarked
package dev.mayfly.mql.parser;

import org.jspecify.annotations.NullMarked;
