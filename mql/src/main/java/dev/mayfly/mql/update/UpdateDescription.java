package dev.mayfly.mql.update;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What differs between a document before and after an update, by dotted paths.
 *
 * @param updatedFields the paths that have new values, with these values
 * @param removedFields the paths that have none any more
 * @param truncatedArrays the arrays that have become shorter
 * @param disambiguatedPaths those of the paths that could be read in more than one way, because the
 *     name of a field has a dot or looks like the number of an element, with their steps
 */
public record UpdateDescription(
    Document updatedFields,
    List<String> removedFields,
    List<Truncation> truncatedArrays,
    Document disambiguatedPaths) {
  /** An array at a path, and how many elements are left. */
  public record Truncation(String field, int newSize) {}

  public UpdateDescription {
    removedFields = List.copyOf(removedFields);
    truncatedArrays = List.copyOf(truncatedArrays);
  }

  /**
   * What leads from the one document to the other.
   *
   * @param setWhole the paths of objects and arrays in which nothing else is looked for: they have
   *     a new value as a whole
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
   * The form that change streams give it.
   *
   * @param expanded whether paths are told by their steps, too
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
   * Where a difference lies.
   *
   * @param path with dots
   * @param steps names of fields and numbers of elements
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

  /** Collects the differences of one pair of documents. */
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
          removed.add(told(place.field(old.name())));
        } else {
          values(old.value(), now, place.field(old.name()));
        }
      }
      Fields fields = after.fields();
      while (fields.next()) {
        if (before.field(fields.name()).isMissing()) {
          updated.put(told(place.field(fields.name())), fields.value());
        }
      }
    }

    private void values(Value before, Value after, Place place) {
      if (before.equals(after)) {
        return;
      }
      if (setWhole.contains(place.path())) {
        updated.put(told(place), after);
      } else if (before.isDocument() && after.isDocument() && !after.asDocument().isEmpty()) {
        objects(before.asDocument(), after.asDocument(), place);
      } else if (before.isArray() && after.isArray() && !after.asDocument().isEmpty()) {
        arrays(before, after, place);
      } else {
        updated.put(told(place), after);
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
          updated.put(told(place.element(size)), now.value());
        }
      }
      if (more) {
        truncated.add(new Truncation(told(place), size));
      }
    }

    /** The path of a place, noted when it can be read otherwise. */
    private String told(Place place) {
      if (place.ambiguous()) {
        disambiguated.put(place.path(), Value.array(place.steps()));
      }
      return place.path();
    }
  }
}
