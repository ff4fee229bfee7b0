package dev.mayfly.mql.update;

import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;

/** The {@code _id} field, which no update may change and which comes first. */
final class IdField {
  static final String ID = "_id";

  private IdField() {}

  /**
   * Returns the new document with the id of the old one as its first field.
   *
   * @throws QueryException IMMUTABLE_FIELD if the new document has another id
   */
  static Document kept(Document before, Document after) {
    Value id = before.field(ID);
    if (id.isMissing()) {
      return first(after, after.field(ID));
    }
    Value other = after.field(ID);
    if (!other.isMissing() && Order.MONGO.compare(id, other) != 0) {
      throw new QueryException(
          Reason.IMMUTABLE_FIELD,
          0,
          "After applying the update, the (immutable) field '_id' was found to have been altered"
              + " to "
              + ShellText.field(ID, other));
    }
    return first(after, id);
  }

  /**
   * Returns the document with this id as its first field; unchanged if it is already, or if the id
   * is missing.
   */
  static Document first(Document document, Value id) {
    Fields fields = document.fields();
    boolean there = fields.next() && fields.named(ID) && fields.value().equals(id);
    if (there || id.isMissing()) {
      return document;
    }
    DocumentWriter writer = Document.writer().put(ID, id);
    Fields all = document.fields();
    while (all.next()) {
      if (!all.named(ID)) {
        writer.put(all);
      }
    }
    return writer.build();
  }
}
