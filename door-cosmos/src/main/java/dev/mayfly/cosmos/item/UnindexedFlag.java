package dev.mayfly.cosmos.item;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;

/**
 * Flag of a stored item that is excluded from the index by its indexing directive: its first
 * property, which clients never see.
 */
public final class UnindexedFlag {
  static final String NAME = "_mayflyUnindexed";

  /** Path of the flag. */
  public static final FieldPath PATH = FieldPath.of(NAME);

  private UnindexedFlag() {}

  /** Returns the item with the flag. */
  static Document marked(Document item) {
    DocumentWriter writer = Document.writer().put(NAME, true);
    writer.putAll(item);
    return writer.build();
  }

  /** Returns the item without the flag. */
  public static Document stripped(Document item) {
    Fields fields = item.fields();
    boolean marked =
        fields.next() && fields.buffer()[fields.nameOffset()] == '_' && fields.name().equals(NAME);
    if (!marked) {
      return item;
    }
    DocumentWriter writer = Document.writer();
    while (fields.next()) {
      writer.put(fields);
    }
    return writer.build();
  }
}
