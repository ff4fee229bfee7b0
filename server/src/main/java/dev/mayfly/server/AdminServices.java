package dev.mayfly.server;

import dev.mayfly.Mayfly;
import dev.mayfly.admin.AdminApi;
import dev.mayfly.admin.AdminAuth;
import dev.mayfly.admin.AdminHandler;
import dev.mayfly.admin.Readiness;
import dev.mayfly.cosmos.auth.LocalRequests;
import dev.mayfly.engine.Alarm.Severity;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.Handler;
import dev.mayfly.metrics.Metrics;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.admin.ProcessMemory;
import dev.mayfly.mongo.auth.Login;
import java.util.function.Supplier;

/** Admin API, metrics and slow request log of one server. Safe for many threads. */
final class AdminServices {
  private final Mayfly mayfly;
  private final AdminApi adminApi;
  private final Metrics metrics;
  private final boolean open;
  private final int slowMillis;
  private final String advertised;
  private volatile boolean draining;

  AdminServices(Mayfly mayfly, MongoDoor mongo, ServerSettings settings) {
    this.mayfly = mayfly;
    this.adminApi = new AdminApi(mayfly.engine(), settings.clock(), mongo.users(), mayfly::backup);
    this.metrics = new Metrics(mayfly.engine(), mayfly::stats);
    this.open = settings.mongo().security().login() != Login.ALWAYS;
    this.advertised = settings.mongo().address().advertised();
    this.slowMillis = settings.mongo().work().slowMillis();
    metrics.readOnly(() -> !mayfly.writable());
    connections("mongo", mongo::connections);
    metrics.cursors(mongo::cursors);
    metrics.memory(() -> ProcessMemory.now().resident());
    mongo.observe((kind, done, nanos) -> metrics.operation("mongo", kind, done, nanos));
  }

  /** Adds the number of connections of a door to the metrics. */
  void connections(String door, Supplier<Number> open) {
    metrics.connections(door, open);
  }

  /**
   * Returns a handler that serves the admin API and passes all other requests to a door.
   *
   * @param key for requests that must be authorized
   * @param wall clock for checking signatures
   */
  Handler before(Handler door, String key, Clock wall) {
    AdminAuth adminAuth = new AdminAuth(key, wall, open, new LocalRequests(advertised));
    return new AdminHandler(
        door,
        adminApi,
        adminAuth,
        metrics,
        System::nanoTime,
        slowMillis,
        this::readiness,
        mayfly.engine().alarms());
  }

  /** Reports from now on that the server is not ready. */
  void drain() {
    draining = true;
  }

  private Readiness readiness() {
    if (draining) {
      return Readiness.DRAINING;
    }
    if (!mayfly.writable()) {
      return Readiness.READ_ONLY;
    }
    return mayfly.engine().alarms().any(Severity.CRITICAL) ? Readiness.ALARMED : Readiness.READY;
  }

  /** Closes the metrics. */
  void close() {
    metrics.close();
  }
}
