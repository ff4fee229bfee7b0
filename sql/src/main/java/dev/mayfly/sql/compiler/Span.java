package dev.mayfly.sql.compiler;

/** A stretch of a query's text, from a first character up to, but without, a last. */
public record Span(int start, int end) {
  /** From where this starts to where the other ends. */
  Span to(Span other) {
    return new Span(start, other.end);
  }
}
