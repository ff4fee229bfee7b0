package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Collation;
import dev.mayfly.query.ShellText;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Parser of sort patterns. */
public final class SortParser {
  private static final int MOST_KEYS = 32;

  private SortParser() {}

  /**
   * Parses the sort keys, most significant first; empty for an empty pattern and for {@code
   * {$natural: 1}}.
   *
   * @throws CommandException if a direction is neither 1 nor -1, or a path is invalid
   */
  public static List<Sort> parse(Document syntax) {
    if (syntax.isEmpty()) {
      return List.of();
    }
    List<Sort> keys = new ArrayList<>();
    Set<FieldPath> seen = new HashSet<>();
    Fields fields = syntax.fields();
    while (fields.next()) {
      String name = fields.name();
      if (name.equals("$natural")) {
        return natural(syntax, fields.value());
      }
      Sort key = new Sort(path(name), descending(name, fields.value()));
      if (!seen.add(key.path())) {
        throw new CommandException(
            ErrorCode.location(7472500),
            "$sort key must not contain duplicate keys (duplicate: '" + name + "')");
      }
      keys.add(key);
    }
    if (keys.size() > MOST_KEYS) {
      throw new CommandException(
          ErrorCode.location(13103), "too many compound keys: " + ShellText.of(Value.of(syntax)));
    }
    return List.copyOf(keys);
  }

  /**
   * Parses the sort keys, with strings compared by a collation.
   *
   * @throws CommandException if a direction is neither 1 nor -1, or a path is invalid
   */
  public static List<Sort> parse(Document syntax, Collation collation) {
    List<Sort> keys = parse(syntax);
    return keys.isEmpty() ? keys : keys.stream().map(key -> key.collated(collation)).toList();
  }

  private static List<Sort> natural(Document syntax, Value direction) {
    Fields fields = syntax.fields();
    fields.next();
    boolean one = direction.isNumber() && Math.abs(direction.asDouble()) == 1;
    if (fields.next() || !one) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "$natural sort cannot be set to a value other than -1 or 1.");
    }
    return List.of();
  }

  private static FieldPath path(String name) {
    if (name.isEmpty()) {
      throw new CommandException(
          ErrorCode.location(40352), "FieldPath cannot be constructed with empty string");
    }
    if (name.endsWith(".")) {
      throw new CommandException(ErrorCode.location(40353), "FieldPath must not end with a '.'.");
    }
    FieldPath path = DottedPath.of(name);
    for (int i = 0; i < path.length(); i++) {
      String step = path.step(i);
      if (step.isEmpty()) {
        throw new CommandException(
            ErrorCode.location(15998), "FieldPath field names may not be empty strings.");
      }
      if (step.startsWith("$") && !isReference(step)) {
        throw new CommandException(
            ErrorCode.location(16410),
            "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
      }
    }
    return path;
  }

  private static boolean isReference(String step) {
    return step.equals("$id") || step.equals("$ref") || step.equals("$db");
  }

  /** Documents have no metadata to sort by. */
  private static CommandException byMetadata(String name, Value direction) {
    Value meta = direction.asDocument().field("$meta");
    if (meta.equals(Value.of("textScore"))) {
      return new CommandException(
          ErrorCode.location(40218), "query requires text score metadata, but it is not available");
    }
    return meta.isMissing()
        ? new CommandException(
            ErrorCode.location(17312), "$meta is the only expression supported by $sort right now")
        : new CommandException(
            ErrorCode.location(31138), "Illegal $meta sort: " + ShellText.field(name, direction));
  }

  private static boolean descending(String name, Value direction) {
    if (direction.isDocument()) {
      throw byMetadata(name, direction);
    }
    if (!direction.isNumber()) {
      throw new CommandException(
          ErrorCode.location(15974),
          "Illegal key in $sort specification: " + ShellText.field(name, direction));
    }
    long sign = direction.asLong();
    if (sign != 1 && sign != -1) {
      throw new CommandException(
          ErrorCode.location(15975),
          "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
    }
    return sign < 0;
  }
}
