package dev.mayfly.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * What happens when a process that is stopping already is told to stop again: it ends at once. What
 * was answered is safe all the same, as after a crash.
 *
 * <p>The virtual machine ignores further signals while it stops. The class that can change that is
 * there in every JDK, but compiling against it cannot be done without a warning: hence the
 * reflection.
 */
final class ForcedStop {
  private static final int BY_SIGNAL = 128;

  private ForcedStop() {}

  static void stopsAtOnce() {
    on("TERM", 15);
    on("INT", 2);
  }

  private static void on(String name, int number) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler halt =
          (_, _, _) -> {
            Runtime.getRuntime().halt(BY_SIGNAL + number);
            return null;
          };
      Object halting =
          Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, halt);
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), halting);
    } catch (ClassNotFoundException
        | NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException cannot) {
      // then a second signal is ignored, as usual
      System.getLogger(ForcedStop.class.getName()).log(System.Logger.Level.DEBUG, name, cannot);
    }
  }
}
