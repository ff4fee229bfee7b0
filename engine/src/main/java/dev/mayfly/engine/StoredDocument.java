package dev.mayfly.engine;

import dev.mayfly.value.Document;

/**
 * Live document with its metadata.
 *
 * @param version the sequence of its last write: its etag
 * @param birth the version of its insert, also under an earlier id: distinguishes documents that
 *     had the same id one after another
 * @param writtenAt epoch milliseconds of its last write
 * @param deadline when it expires, or {@link dev.mayfly.expiry.Deadline#NEVER}
 */
public record StoredDocument(
    Document document, long version, long birth, long writtenAt, long deadline) {}
