package dev.mayfly.net;

/**
 * How long one who waits for requests looks out for them before going to sleep. To be woken takes
 * longer than a client that was just answered takes to ask again; looking in vain takes time that
 * others could use. So it is done for as long as it has paid lately. Belongs to one thread.
 */
public final class AdaptiveSpin {
  /** Some 100 us. */
  private static final int MOST_LOOKS = 128;

  /** After so many sleeps it may pay again. */
  private static final int SLEEPS_UNTIL_TRIED = 32;

  private int looks = MOST_LOOKS;
  private int sleeps;

  /** Looks whether something has come. */
  public interface Look<X extends Exception> {
    /** Whether something has. */
    boolean found() throws X;
  }

  /** Looks until something has come; false when it is time to sleep. */
  @SuppressWarnings("ThreadPriorityCheck") // it is faster, not more right, by the scheduler's grace
  public <X extends Exception> boolean keep(Look<X> look) throws X {
    for (int i = 0; i < looks; i++) {
      if (look.found()) {
        looks = MOST_LOOKS;
        return true;
      }
      // whoever else has something to do goes first: it may be what is waited for
      Thread.yield();
    }
    sleeps++;
    looks = sleeps % SLEEPS_UNTIL_TRIED == 0 ? MOST_LOOKS : looks / 2;
    return false;
  }
}
