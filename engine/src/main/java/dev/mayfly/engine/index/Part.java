package dev.mayfly.engine.index;

import dev.mayfly.value.FieldPath;

/**
 * One part of an index.
 *
 * @param path where the value is; of a wildcard, the path below which every value is indexed
 * @param kind what the component of a key holds
 */
public record Part(FieldPath path, boolean descending, Kind kind) {
  /** What the component of a key holds. */
  public enum Kind {
    /** The value. */
    VALUE,
    /** The path of the value, then the value. */
    WILDCARD,
    /** A cell of the sphere in which some of the value lies; null when it tells no place. */
    SPHERE
  }

  /** A path, smallest value first. */
  public static Part ascending(FieldPath path) {
    return new Part(path, false, Kind.VALUE);
  }

  /** A path, largest value first. */
  public static Part descending(FieldPath path) {
    return new Part(path, true, Kind.VALUE);
  }

  /** Every path below this one. */
  public static Part wildcard(FieldPath below) {
    return new Part(below, false, Kind.WILDCARD);
  }

  /** A path to places on the sphere. */
  public static Part sphere(FieldPath path) {
    return new Part(path, false, Kind.SPHERE);
  }

  public boolean wildcard() {
    return kind == Kind.WILDCARD;
  }

  public boolean sphere() {
    return kind == Kind.SPHERE;
  }
}
