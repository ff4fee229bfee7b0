package dev.mayfly.engine.storage;

import dev.mayfly.engine.StoredDocument;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Schedule;
import dev.mayfly.value.Document;

/** Decoder of a record: header, then the document as BSON. */
public final class RecordFormat {
  private RecordFormat() {}

  /** The document of a record, as a view of its bytes. */
  public static Document document(byte[] record) {
    return Document.trusted(record, Header.length(record, 0));
  }

  /** The document of a record with its version, times and deadline under a schedule. */
  public static StoredDocument stored(Schedule schedule, byte[] record) {
    return new StoredDocument(
        document(record),
        Header.version(record, 0),
        Header.born(record, 0),
        Header.writtenAt(record, 0),
        schedule.deadline(record));
  }
}
