package dev.mayfly.bench;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Counter of the bytes that all threads of another Java process allocate, read through JMX. */
final class AllocatedBytes implements AutoCloseable {
  private static final String COUNTER = "TotalThreadAllocatedBytes";

  private final JMXConnector connector;
  private final ObjectName threads;

  private AllocatedBytes(JMXConnector connector, ObjectName threads) {
    this.connector = connector;
    this.threads = threads;
  }

  /** Connects to a process. */
  static AllocatedBytes of(long pid) {
    try {
      return new AllocatedBytes(connect(pid), new ObjectName("java.lang:type=Threading"));
    } catch (JMException | AttachNotSupportedException | IOException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @SuppressWarnings("BanJNDI") // the peer is a server that this benchmark has started
  private static JMXConnector connect(long pid) throws AttachNotSupportedException, IOException {
    VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
    try {
      return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
    } finally {
      machine.detach();
    }
  }

  double bytes() {
    try {
      MBeanServerConnection beans = connector.getMBeanServerConnection();
      return ((Number) beans.getAttribute(threads, COUNTER)).doubleValue();
    } catch (JMException | IOException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
