/**
 * Parsers of updates: operators, replacements, pipelines and array filters.
 *
 * <p>Enter through {@link dev.mayfly.mql.parser.update.UpdateParser}.
 */
@NullMarked
package dev.mayfly.mql.parser.update;

import org.jspecify.annotations.NullMarked;
