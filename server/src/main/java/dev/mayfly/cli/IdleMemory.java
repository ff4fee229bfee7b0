package dev.mayfly.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;

/**
 * Makes the garbage collector return memory to the system while the server is idle. Otherwise the
 * heap stays large, because without allocations no collection starts.
 */
final class IdleMemory {
  /** Manageable HotSpot flags; the interval is in milliseconds. */
  private static final Map<String, String> OPTIONS =
      Map.of("G1PeriodicGCInterval", "30000", "MaxHeapFreeRatio", "30", "MinHeapFreeRatio", "10");

  private static final String NOT_RETURNED = "idle memory is not returned to the system: {0}";
  private static final System.Logger LOG = System.getLogger(IdleMemory.class.getName());

  private IdleMemory() {}

  /** Sets the flags on HotSpot, except those that the user has set. */
  static void configure() {
    HotSpotDiagnosticMXBean java =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    if (java == null) {
      return;
    }
    try {
      OPTIONS.forEach((name, value) -> set(java, name, value));
    } catch (IllegalArgumentException unavailable) {
      LOG.log(System.Logger.Level.DEBUG, NOT_RETURNED, unavailable.getMessage());
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
