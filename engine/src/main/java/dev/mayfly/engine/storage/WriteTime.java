package dev.mayfly.engine.storage;

import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.expiry.Header;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.function.Function;

/**
 * Adds the second of the last write to documents, at {@link IndexSpec#WRITTEN}: the field is not
 * stored, but Cosmos DB queries and indexes can use it.
 */
public final class WriteTime {
  private static final VarHandle INT32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int MILLIS = 1000;

  private WriteTime() {}

  /** Returns the function from records to documents as a query sees them. */
  public static Function<byte[], Document> view(Query query) {
    boolean needed =
        query.mode() == Mode.SQL
            && (query.filter().paths().anyMatch(IndexSpec.WRITTEN::equals)
                || query.order().stream().anyMatch(key -> key.path().equals(IndexSpec.WRITTEN)));
    return needed
        ? record -> with(RecordFormat.document(record), Header.writtenAt(record, 0))
        : RecordFormat::document;
  }

  /** Returns the document with the additional field. */
  public static Document with(Document document, long writtenAt) {
    byte[] name = IndexSpec.WRITTEN.stepUtf8(0);
    int end = document.length() - 1;
    byte[] longer = new byte[end + 1 + name.length + 1 + Long.BYTES + 1];
    System.arraycopy(document.buffer(), document.offset(), longer, 0, end);
    longer[end] = Type.INT64.code();
    System.arraycopy(name, 0, longer, end + 1, name.length);
    INT64.set(longer, end + 1 + name.length + 1, Math.floorDiv(writtenAt, MILLIS));
    INT32.set(longer, 0, longer.length);
    return Document.trusted(longer);
  }
}
