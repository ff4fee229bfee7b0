package dev.mayfly.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;

/**
 * Has the garbage collector give memory back while nothing happens. It would else keep a heap as
 * large as the last busy hour needed, because nothing is allocated that would start a collection.
 */
final class IdleMemory {
  /** Options of HotSpot that may be changed while it runs; the interval is in milliseconds. */
  private static final Map<String, String> OPTIONS =
      Map.of("G1PeriodicGCInterval", "30000", "MaxHeapFreeRatio", "30", "MinHeapFreeRatio", "10");

  private static final String HEAP_STAYS = "idle memory is not given back: {0}";
  private static final System.Logger LOG = System.getLogger(IdleMemory.class.getName());

  private IdleMemory() {}

  /** Asks for it, where Java is a HotSpot; options that the user has set stay. */
  static void giveBack() {
    HotSpotDiagnosticMXBean java =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    if (java == null) {
      return;
    }
    try {
      OPTIONS.forEach((name, value) -> set(java, name, value));
    } catch (IllegalArgumentException refused) {
      LOG.log(System.Logger.Level.DEBUG, HEAP_STAYS, refused.getMessage());
    }
  }

  private static void set(HotSpotDiagnosticMXBean java, String name, String value) {
    boolean standard =
        switch (java.getVMOption(name).getOrigin()) {
          case DEFAULT, ERGONOMIC -> true;
          case VM_CREATION, ENVIRON_VAR, CONFIG_FILE, MANAGEMENT, ATTACH_ON_DEMAND, OTHER -> false;
        };
    if (standard) {
      java.setVMOption(name, value);
    }
  }
}
