package dev.mayfly.engine;

import dev.mayfly.value.Document;

/**
 * A live document as it is stored.
 *
 * @param version the sequence of its last write: its etag
 * @param birth the version it was inserted with, under this id or an earlier one: tells one life of
 *     an id from the next
 * @param writtenAt epoch milliseconds of its last write
 * @param deadline when it expires, or {@link dev.mayfly.expiry.Deadline#NEVER}
 */
public record StoredDocument(
    Document document, long version, long birth, long writtenAt, long deadline) {}
