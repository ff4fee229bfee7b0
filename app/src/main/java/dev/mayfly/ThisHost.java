package dev.mayfly;

import com.sun.management.OperatingSystemMXBean;
import dev.mayfly.mongo.admin.Host;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** The machine and the process this runs in. */
final class ThisHost {
  private static final String VERSION = "0.1.0";

  private ThisHost() {}

  static Host describe(List<String> arguments, String dataPath) {
    OperatingSystemMXBean machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return new Host(
        hostname(),
        machine.getName(),
        machine.getVersion(),
        machine.getArch(),
        machine.getAvailableProcessors(),
        machine.getTotalMemorySize(),
        VERSION,
        ProcessHandle.current().pid(),
        arguments,
        dataPath);
  }

  private static String hostname() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return "localhost";
    }
  }
}
