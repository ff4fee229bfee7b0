package dev.mayfly.cluster;

/**
 * Admission of one operation to a cell. The cell is not handed over before it is closed, except
 * after a while: then the operation fails. Belongs to one thread at a time.
 *
 * <pre>{@code
 * try (Admission admission = cell.admit()) {
 *   Reply reply = run(cell.engine());
 *   return admission.isValid() ? reply : repeated();
 * }
 * }</pre>
 */
public interface Admission extends AutoCloseable {
  /** Admission that is always valid, of a server that is alone. */
  Admission ALWAYS =
      new Admission() {
        @Override
        public boolean isValid() {
          return true;
        }

        @Override
        public void close() {}
      };

  /**
   * Returns whether the result of the operation may leave this server: whether this server
   * certainly owned the cell until now. If not, a read must be repeated at the new owner; a write
   * may have been made. Never blocks.
   */
  boolean isValid();

  @Override
  void close();
}
