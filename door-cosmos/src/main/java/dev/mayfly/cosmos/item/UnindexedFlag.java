package dev.mayfly.cosmos.item;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;

/**
 * The sign that an item carries in the store when its writer wants it left out of the index: the
 * first of its properties, which clients never see.
 */
public final class UnindexedFlag {
  static final String NAME = "_mayflyUnindexed";

  /** Where the sign is. */
  public static final FieldPath PATH = FieldPath.of(NAME);

  private UnindexedFlag() {}

  /** The item with the sign. */
  static Document marked(Document item) {
    DocumentWriter writer = Document.writer().put(NAME, true);
    writer.putAll(item);
    return writer.build();
  }

  /** The item as its writer sent it. */
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
