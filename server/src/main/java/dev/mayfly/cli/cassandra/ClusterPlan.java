package dev.mayfly.cli.cassandra;

import dev.mayfly.cluster.Placement;
import dev.mayfly.config.Configuration;
import dev.mayfly.config.ConfigurationException;
import dev.mayfly.config.Settings;
import dev.mayfly.server.HostInfo;
import dev.mayfly.server.SharedStore;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;

/** Maps the settings of a cluster: how this server takes part in it. */
final class ClusterPlan {
  private static final String ALL_ADDRESSES = "0.0.0.0";

  private final Configuration configuration;

  ClusterPlan(Configuration configuration) {
    this.configuration = configuration;
  }

  SharedStore.Membership membership() {
    String host = peerHost();
    return new SharedStore.Membership(
        peerBind(host),
        host,
        configuration.number(Settings.PEER_PORT),
        configuration.text(Settings.ADVERTISED_HOST),
        configuration.text(Settings.PLACEMENT).equals("single")
            ? Placement.SINGLE
            : Placement.DATABASE,
        Duration.ofSeconds(configuration.number(Settings.LEASE_SECONDS)),
        Duration.ofMillis(configuration.number(Settings.MAX_CLOCK_SKEW)));
  }

  private String peerHost() {
    String configured = configuration.text(Settings.PEER_HOST);
    if (!configured.isEmpty()) {
      return configured;
    }
    String advertised = configuration.text(Settings.ADVERTISED_HOST);
    if (!advertised.isEmpty()) {
      return SharedStore.withoutPort(advertised);
    }
    String bind = configuration.text(Settings.BIND);
    return address(bind, Settings.BIND.name()).isAnyLocalAddress() ? HostInfo.hostname() : bind;
  }

  /** A server for clients of this machine alone still listens for servers of others. */
  private String peerBind(String host) {
    String bind = configuration.text(Settings.BIND);
    boolean local = address(bind, Settings.BIND.name()).isLoopbackAddress();
    return local && !address(host, Settings.PEER_HOST.name()).isLoopbackAddress()
        ? ALL_ADDRESSES
        : bind;
  }

  private static InetAddress address(String host, String setting) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException unknown) {
      throw new ConfigurationException(
          setting + " is '" + host + "', which this machine cannot resolve.", unknown);
    }
  }
}
