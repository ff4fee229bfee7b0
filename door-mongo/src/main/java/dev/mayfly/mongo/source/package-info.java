/**
 * The stages of a pipeline that tell about the server instead of reading documents, one file each.
 *
 * <p>Start at {@link dev.mayfly.mongo.source.ServerSources}, which lists them. Shared by all
 * connections.
 */
@NullMarked
package dev.mayfly.mongo.source;

import org.jspecify.annotations.NullMarked;
