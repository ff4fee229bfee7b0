/**
 * MongoDB's own syntax, to the trees of {@code dev.mayfly.query}.
 *
 * <p>One parser per part of the language: {@link dev.mayfly.mql.parser.FilterParser} for query
 * documents, {@link dev.mayfly.mql.parser.SortParser}, {@link
 * dev.mayfly.mql.parser.CollationParser}, {@link dev.mayfly.mql.parser.JsonSchemaParser} and so on.
 * Parsers read BSON and refuse what means nothing, with the numbers and words that MongoDB uses;
 * they evaluate nothing. Their results hold views of the bytes they were read from.
 */
@NullMarked
package dev.mayfly.mql.parser;

import org.jspecify.annotations.NullMarked;
