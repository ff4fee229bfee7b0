package dev.mayfly.mongo.collection;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * What the door keeps with a collection: the engine stores it and does not read it.
 *
 * @param view what it shows, when it is a view and holds no documents
 * @param collation how its texts compare; empty for byte by byte
 * @param clustered the description of the clustered index; empty when there is none
 * @param storage what was said of how the store is to keep it, told and without effect
 * @param images whether changes carry the documents before and after them
 * @param indexes what clients asked for, beside the indexes that the engine keeps
 */
public record Options(
    View view,
    Validation validation,
    Document collation,
    Document clustered,
    Document storage,
    boolean images,
    List<IndexForm> indexes) {
  /** A plain collection. */
  public static final Options NONE =
      new Options(
          View.NONE,
          Validation.NONE,
          Document.EMPTY,
          Document.EMPTY,
          Document.EMPTY,
          false,
          List.of());

  public Options {
    indexes = List.copyOf(indexes);
  }

  /** The options that a collection was given. */
  public static Options of(CollectionSpec spec) {
    return of(spec.options());
  }

  public Options withView(View changed) {
    return new Options(changed, validation, collation, clustered, storage, images, indexes);
  }

  public Options withValidation(Validation changed) {
    return new Options(view, changed, collation, clustered, storage, images, indexes);
  }

  public Options withCollation(Document changed) {
    return new Options(view, validation, changed, clustered, storage, images, indexes);
  }

  public Options withClustered(Document changed) {
    return new Options(view, validation, collation, changed, storage, images, indexes);
  }

  public Options withStorage(Document changed) {
    return new Options(view, validation, collation, clustered, changed, images, indexes);
  }

  public Options withImages(boolean changed) {
    return new Options(view, validation, collation, clustered, storage, changed, indexes);
  }

  Options withIndexes(List<IndexForm> changed) {
    return new Options(view, validation, collation, clustered, storage, images, changed);
  }

  /** The form that {@link #of} reads. */
  public Document toDocument() {
    DocumentWriter form = Document.writer();
    if (view.exists()) {
      form.put("viewOn", view.on()).put("pipeline", view.pipeline());
    }
    if (!validation.equals(Validation.NONE)) {
      validation.write(form);
    }
    putUnlessEmpty(form, "collation", collation);
    putUnlessEmpty(form, "clusteredIndex", clustered);
    putUnlessEmpty(form, "storage", storage);
    if (images) {
      form.put("images", true);
    }
    if (!indexes.isEmpty()) {
      form.put(
          "indexes",
          Value.array(indexes.stream().map(index -> Value.of(index.description())).toList()));
    }
    return form.build();
  }

  private static void putUnlessEmpty(DocumentWriter form, String name, Document value) {
    if (!value.isEmpty()) {
      form.put(name, value);
    }
  }

  /** The options of a stored form. */
  static Options of(Document form) {
    if (form.isEmpty()) {
      return NONE;
    }
    return new Options(
        view(form),
        Validation.of(form),
        document(form, "collation"),
        document(form, "clusteredIndex"),
        document(form, "storage"),
        !form.field("images").isMissing(),
        indexes(form.field("indexes")));
  }

  private static View view(Document form) {
    Value on = form.field("viewOn");
    return on.isMissing() ? View.NONE : new View(on.asString(), form.field("pipeline"));
  }

  private static List<IndexForm> indexes(Value array) {
    List<IndexForm> indexes = new ArrayList<>();
    if (!array.isMissing()) {
      Fields elements = array.asDocument().fields();
      while (elements.next()) {
        indexes.add(IndexForm.of(elements.value().asDocument()));
      }
    }
    return indexes;
  }

  private static Document document(Document form, String name) {
    Value value = form.field(name);
    return value.isMissing() ? Document.EMPTY : value.asDocument();
  }
}
