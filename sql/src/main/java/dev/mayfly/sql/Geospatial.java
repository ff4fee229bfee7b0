package dev.mayfly.sql;

/** The type of a container's geospatial configuration: where its geometries lie. */
public enum Geospatial {
  /** On earth: longitudes and latitudes, distances in metres. */
  GEOGRAPHY,
  /** In the plane: any coordinates, distances in their unit. */
  GEOMETRY
}
