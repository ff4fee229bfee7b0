package dev.mayfly.engine.index;

import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;

/**
 * Wildcard index part ({@code $**}): an entry for every path below the path of the part, see {@link
 * WildcardWalk}.
 */
record WildcardKind() implements IndexKind {
  @Override
  public String flag() {
    return "wildcard";
  }

  /** Stored forms have always had this flag. */
  @Override
  public Value flagOfOthers() {
    return Value.FALSE;
  }

  @Override
  public boolean manyPaths() {
    return true;
  }

  @Override
  public boolean multikey(Traversal traversal, FieldPath path, boolean metArray) {
    return traversal == Traversal.IMPLICIT || !Scope.isPlain(path);
  }
}
