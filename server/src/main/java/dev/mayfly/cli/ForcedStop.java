package dev.mayfly.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Ends the process at once on a second SIGTERM or SIGINT. Acknowledged writes are safe, as after a
 * crash.
 *
 * <p>The JVM ignores further signals while it stops. {@code sun.misc.Signal} changes that;
 * reflection avoids the compiler warning.
 */
final class ForcedStop {
  private static final int SIGNAL_EXIT_CODE = 128;

  private ForcedStop() {}

  static void install() {
    on("TERM", 15);
    on("INT", 2);
  }

  private static void on(String name, int number) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      InvocationHandler halt =
          (_, _, _) -> {
            Runtime.getRuntime().halt(SIGNAL_EXIT_CODE + number);
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
        | InvocationTargetException unavailable) {
      // a second signal is then ignored, as by default
      System.getLogger(ForcedStop.class.getName())
          .log(System.Logger.Level.DEBUG, name, unavailable);
    }
  }
}
