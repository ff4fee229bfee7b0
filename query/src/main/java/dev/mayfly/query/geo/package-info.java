/**
 * Places, lines and areas on the earth, seen as a sphere, and on a plane.
 *
 * <p>Entry points: {@link dev.mayfly.query.geo.Geometry} is what GeoJSON means, with distances and
 * relations; {@link dev.mayfly.query.geo.Region} is what a query asks of the places in documents;
 * {@link dev.mayfly.query.geo.CellRange} says where in an index of cells the answers lie.
 *
 * <p>Built on the S2 library, which divides the sphere into cells along a curve; none of its types
 * is visible outside. Everything is immutable and safe for any number of threads. Depends on {@code
 * dev.mayfly.value} alone besides.
 */
@NullMarked
package dev.mayfly.query.geo;

import org.jspecify.annotations.NullMarked;
