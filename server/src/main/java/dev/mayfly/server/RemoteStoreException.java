package dev.mayfly.server;

/**
 * A shared store cannot be opened, or a cluster not joined. The message is a sentence for users.
 */
public final class RemoteStoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param failure whose message is a sentence without its capital letter and its full stop
   */
  public RemoteStoreException(RuntimeException failure) {
    super(sentence(String.valueOf(failure.getMessage())), failure);
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }
}
