package dev.mayfly.mongo.collection;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Collection options that the engine stores without reading them.
 *
 * @param view the definition of the view, or {@link View#NONE}
 * @param collation the default collation; empty for simple binary comparison
 * @param clustered the description of the clustered index; empty if the collection is not clustered
 * @param storage options of the storage engine, which are listed and have no effect
 * @param images {@code changeStreamPreAndPostImages}
 * @param indexes descriptions of the indexes, see {@link Indexes}
 */
public record Options(
    View view,
    Validation validation,
    Document collation,
    Document clustered,
    Document storage,
    boolean images,
    List<IndexForm> indexes) {
  /** A collection without options. */
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

  /** Returns the options of a collection. */
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

  /** Returns the stored form, which {@link #of(CollectionSpec)} parses. */
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

  /** Parses the stored form. */
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
