package dev.mayfly.engine.index;

import dev.mayfly.value.FieldPath;

/** Plain index part: the component is the value at the path. */
record ValueKind() implements IndexKind {
  @Override
  public String flag() {
    return "";
  }

  @Override
  public boolean multikey(Traversal traversal, FieldPath path, boolean metArray) {
    return traversal == Traversal.IMPLICIT && metArray;
  }
}
