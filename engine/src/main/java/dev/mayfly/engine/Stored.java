package dev.mayfly.engine;

import dev.mayfly.value.Document;

/**
 * A live document as it is stored.
 *
 * @param version the sequence of its last write: its etag
 * @param writtenAt epoch milliseconds of its last write
 * @param deadline when it expires, or {@link dev.mayfly.expiry.Deadline#NEVER}
 */
public record Stored(Document document, long version, long writtenAt, long deadline) {}
