/**
 * Geometries on the earth, seen as a sphere, and on a plane.
 *
 * <p>{@link dev.mayfly.query.geo.Geometry} represents GeoJSON, with distances and relations; {@link
 * dev.mayfly.query.geo.Region} is a geospatial condition of a query; {@link
 * dev.mayfly.query.geo.CellRange} is an index bound.
 *
 * <p>Built on the S2 library, which divides the sphere into cells along a curve; none of its types
 * is visible outside. Everything is immutable and safe for many threads. Besides, depends on {@code
 * dev.mayfly.value} alone.
 */
@NullMarked
package dev.mayfly.query.geo;

import org.jspecify.annotations.NullMarked;
