package dev.mayfly.server;

import com.sun.management.OperatingSystemMXBean;
import dev.mayfly.Mayfly;
import dev.mayfly.mongo.admin.Host;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** The machine and the process this runs in. */
public final class HostInfo {
  private HostInfo() {}

  /** What clients are told who ask, with the arguments of the command line. */
  public static Host describe(List<String> arguments, String dataPath) {
    OperatingSystemMXBean machine = machine();
    return new Host(
        hostname(),
        machine.getName(),
        machine.getVersion(),
        machine.getArch(),
        machine.getAvailableProcessors(),
        machine.getTotalMemorySize(),
        Mayfly.VERSION,
        ProcessHandle.current().pid(),
        arguments,
        dataPath);
  }

  /** The memory of the machine, or of the container that this runs in. */
  public static long memoryBytes() {
    return machine().getTotalMemorySize();
  }

  private static OperatingSystemMXBean machine() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  }

  private static String hostname() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }
}
