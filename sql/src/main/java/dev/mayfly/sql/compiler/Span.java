package dev.mayfly.sql.compiler;

/** Range of characters in the text of a query; the end is exclusive. */
public record Span(int start, int end) {
  /** Returns the span from the start of this to the end of the other. */
  Span to(Span other) {
    return new Span(start, other.end);
  }
}
