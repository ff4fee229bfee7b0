/**
 * HybridRow: the binary format in which the .NET SDK sends the operations of a batch and expects
 * their results. Only the rows of that exchange are implemented.
 *
 * <p>A row is a header (one byte for the version, four for the schema), a bitmap of the fields that
 * are present, fields of fixed size, fields of variable size, each after its length, and sparse
 * fields, which contain their type and name. Rows are stored as RecordIO: a segment header, then
 * for each row its length, its CRC-32 and the row. Numbers are little-endian, lengths are varints.
 *
 * <p>Uses {@code rest} for errors.
 */
@NullMarked
package dev.mayfly.cosmos.hybridrow;

import org.jspecify.annotations.NullMarked;
