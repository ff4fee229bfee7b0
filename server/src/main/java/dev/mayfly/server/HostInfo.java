package dev.mayfly.server;

import com.sun.management.OperatingSystemMXBean;
import dev.mayfly.Mayfly;
import dev.mayfly.mongo.admin.Host;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Information about the machine and the process. */
public final class HostInfo {
  private HostInfo() {}

  /** Returns the data for {@code hostInfo} and {@code getCmdLineOpts}. */
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

  /** Memory of the machine, or of the container, in bytes. */
  public static long memoryBytes() {
    return machine().getTotalMemorySize();
  }

  private static OperatingSystemMXBean machine() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  }

  /** Names this process, for messages on other machines. */
  public static String process() {
    return "process " + ProcessHandle.current().pid() + " on " + hostname();
  }

  /** Name of the machine, or of the container. */
  public static String hostname() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unknown) {
      return "localhost";
    }
  }
}
