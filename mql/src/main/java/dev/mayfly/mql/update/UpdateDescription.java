package dev.mayfly.mql.update;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The {@code updateDescription} of a change event: differences between two versions of a document.
 *
 * @param updatedFields dotted paths with new values
 * @param removedFields dotted paths that were removed
 * @param truncatedArrays arrays that became shorter
 * @param disambiguatedPaths paths that are ambiguous because a field name contains a dot or looks
 *     like an array index, with their steps
 */
public record UpdateDescription(
    Document updatedFields,
    List<String> removedFields,
    List<Truncation> truncatedArrays,
    Document disambiguatedPaths) {
  /** A truncated array, and its new size. */
  public record Truncation(String field, int newSize) {}

  public UpdateDescription {
    removedFields = List.copyOf(removedFields);
    truncatedArrays = List.copyOf(truncatedArrays);
  }

  /**
   * Computes the differences between two documents.
   *
   * @param setWhole paths of objects and arrays that are reported as a whole
   */
  public static UpdateDescription between(Document before, Document after, Set<String> setWhole) {
    Comparison comparison = new Comparison(setWhole);
    comparison.objects(before, after, Place.ROOT);
    return new UpdateDescription(
        comparison.updated.build(),
        comparison.removed,
        comparison.truncated,
        comparison.disambiguated.build());
  }

  /**
   * Returns the document that change streams report.
   *
   * @param expanded whether to include {@code disambiguatedPaths}
   */
  public Document toDocument(boolean expanded) {
    DocumentWriter form = Document.writer().put("updatedFields", updatedFields);
    form.startArray("removedFields");
    removedFields.forEach(field -> form.add(Value.of(field)));
    form.end().startArray("truncatedArrays");
    for (Truncation truncation : truncatedArrays) {
      form.startDocument()
          .put("field", truncation.field())
          .put("newSize", truncation.newSize())
          .end();
    }
    form.end();
    if (expanded) {
      form.put("disambiguatedPaths", disambiguatedPaths);
    }
    return form.build();
  }

  /**
   * Position of a difference.
   *
   * @param path dotted
   * @param steps field names and array indexes
   */
  private record Place(String path, List<Value> steps, boolean ambiguous) {
    static final Place ROOT = new Place("", List.of(), false);

    Place field(String name) {
      return step(name, Value.of(name), name.indexOf('.') >= 0 || isNumber(name));
    }

    Place element(int number) {
      return step(Integer.toString(number), Value.of(number), false);
    }

    private Place step(String text, Value step, boolean unclear) {
      List<Value> all = new ArrayList<>(steps);
      all.add(step);
      return new Place(steps.isEmpty() ? text : path + "." + text, all, ambiguous || unclear);
    }

    private static boolean isNumber(String name) {
      return !name.isEmpty() && name.chars().allMatch(digit -> digit >= '0' && digit <= '9');
    }
  }

  /** Collects the differences of two documents. */
  private static final class Comparison {
    private final Set<String> setWhole;
    private final DocumentWriter updated = Document.writer();
    private final List<String> removed = new ArrayList<>();
    private final List<Truncation> truncated = new ArrayList<>();
    private final DocumentWriter disambiguated = Document.writer();

    Comparison(Set<String> setWhole) {
      this.setWhole = setWhole;
    }

    void objects(Document before, Document after, Place place) {
      Fields old = before.fields();
      while (old.next()) {
        Value now = after.field(old.name());
        if (now.isMissing()) {
          removed.add(pathOf(place.field(old.name())));
        } else {
          values(old.value(), now, place.field(old.name()));
        }
      }
      Fields fields = after.fields();
      while (fields.next()) {
        if (before.field(fields.name()).isMissing()) {
          updated.put(pathOf(place.field(fields.name())), fields.value());
        }
      }
    }

    private void values(Value before, Value after, Place place) {
      if (before.equals(after)) {
        return;
      }
      if (setWhole.contains(place.path())) {
        updated.put(pathOf(place), after);
      } else if (before.isDocument() && after.isDocument() && !after.asDocument().isEmpty()) {
        objects(before.asDocument(), after.asDocument(), place);
      } else if (before.isArray() && after.isArray() && !after.asDocument().isEmpty()) {
        arrays(before, after, place);
      } else {
        updated.put(pathOf(place), after);
      }
    }

    private void arrays(Value before, Value after, Place place) {
      Fields old = before.asDocument().fields();
      Fields now = after.asDocument().fields();
      boolean more = old.next();
      int size = 0;
      for (; now.next(); size++) {
        if (more) {
          values(old.value(), now.value(), place.element(size));
          more = old.next();
        } else {
          updated.put(pathOf(place.element(size)), now.value());
        }
      }
      if (more) {
        truncated.add(new Truncation(pathOf(place), size));
      }
    }

    /** Returns the path of a position, and records it if it is ambiguous. */
    private String pathOf(Place place) {
      if (place.ambiguous()) {
        disambiguated.put(place.path(), Value.array(place.steps()));
      }
      return place.path();
    }
  }
}
