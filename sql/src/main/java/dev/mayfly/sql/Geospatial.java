package dev.mayfly.sql;

/** Type of a container's geospatial configuration. */
public enum Geospatial {
  /** On earth: longitudes and latitudes, distances in metres. */
  GEOGRAPHY,
  /** In the plane: any coordinates, distances in their unit. */
  GEOMETRY
}
