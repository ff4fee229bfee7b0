/**
 * HybridRow, the binary form in which the SDK for .NET sends the operations of a batch and expects
 * their results: exactly the rows of that exchange, no more of the format.
 *
 * <p>A row is a header (a byte for the version, four for the number of its schema), a byte whose
 * bits say which of the fields of the schema are there, the fields of a fixed size, those of a
 * variable one, each behind its length, and at last fields that say their type and name themselves.
 * Rows are strung together as RecordIO: a segment, then before each row its length and its CRC-32.
 * Numbers are little-endian, lengths have seven bits to a byte.
 *
 * <p>Uses {@code rest} for refusals and the values of items.
 */
@NullMarked
package dev.mayfly.cosmos.hybridrow;

import org.jspecify.annotations.NullMarked;
