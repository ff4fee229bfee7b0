package dev.mayfly.mongo.collection;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.ShellText;
import java.util.List;

/** Conflicts between a requested index and the existing indexes of a collection. */
public final class IndexConflicts {
  private IndexConflicts() {}

  /**
   * Returns true if the index exists already with the same name and options, or if it is the {@code
   * _id} index.
   *
   * @throws CommandException INDEX_OPTIONS_CONFLICT or INDEX_KEY_SPECS_CONFLICT if it conflicts
   *     with an existing index
   */
  public static boolean exists(IndexForm requested, List<IndexForm> existing) {
    if (requested.isId()) {
      return true;
    }
    for (IndexForm other : existing) {
      if (other.name().equals(requested.name())) {
        return sameName(requested, other);
      }
    }
    for (IndexForm other : existing) {
      if (other.sameIndex(requested)) {
        throw otherName(requested, other);
      }
    }
    return false;
  }

  private static boolean sameName(IndexForm requested, IndexForm other) {
    if (!other.sameIndex(requested)) {
      throw new CommandException(
          ErrorCode.INDEX_KEY_SPECS_CONFLICT,
          "An existing index has the same name as the requested index. When index names are not"
              + " specified, they are auto generated and can cause conflicts. Please refer to our"
              + " documentation."
              + both(requested, other));
    }
    if (!other.sameOptions(requested)) {
      throw new CommandException(
          ErrorCode.INDEX_OPTIONS_CONFLICT,
          "An equivalent index already exists with the same name but different options."
              + both(requested, other));
    }
    return true;
  }

  private static CommandException otherName(IndexForm requested, IndexForm other) {
    return new CommandException(
        ErrorCode.INDEX_OPTIONS_CONFLICT,
        other.sameOptions(requested)
            ? "Index already exists with a different name: " + other.name()
            : "An equivalent index already exists with a different name and options."
                + both(requested, other));
  }

  private static String both(IndexForm requested, IndexForm other) {
    return " Requested index: "
        + ShellText.of(requested.description())
        + ", existing index: "
        + ShellText.of(other.description());
  }
}
