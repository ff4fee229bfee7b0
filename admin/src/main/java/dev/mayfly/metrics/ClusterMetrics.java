package dev.mayfly.metrics;

import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.CellObserver;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.ClusterStatus;
import dev.mayfly.cluster.ClusterStatus.CellStatus;
import dev.mayfly.cluster.ClusterStatus.ServerStatus;
import dev.mayfly.store.StoreException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Meters of a cluster, as one server sees it, and of the engines of its cells, which have the label
 * {@code cell}. Prometheus adds up those of all servers.
 */
final class ClusterMetrics implements CellObserver {
  private static final System.Logger LOG = System.getLogger(ClusterMetrics.class.getName());
  private static final double MILLIS = 1000;
  private static final String CELL = "cell";

  private final Cells cells;
  private final MeterRegistry registry;
  private final Map<Integer, EngineMetrics> engines = new ConcurrentHashMap<>();
  private final MultiGauge epochs;
  private final MultiGauge lags;
  private volatile long servers;
  private volatile long skewMillis;

  ClusterMetrics(Cells cells, MeterRegistry registry) {
    this.cells = cells;
    this.registry = registry;
    this.epochs =
        MultiGauge.builder("mayfly.cell.epoch")
            .description("Number of claims of a cell that this server owns")
            .register(registry);
    this.lags =
        MultiGauge.builder("mayfly.cell.log.lag")
            .description("Log entries of a cell that its next owner has to replay")
            .register(registry);
    gauge("mayfly.cluster.servers", "Servers that give signs of life", () -> servers);
    gauge("mayfly.cluster.cells", "Cells that this server serves", () -> cells.served().size());
    gauge(
        "mayfly.cluster.clock.skew.seconds",
        "Largest difference between the clocks of this server and of another one",
        () -> skewMillis / MILLIS);
  }

  private void gauge(String name, String text, Supplier<Number> value) {
    Gauge.builder(name, value).description(text).register(registry);
  }

  @Override
  public void opened(Cell cell) {
    Tags tags = Tags.of(CELL, Integer.toString(cell.number()));
    EngineMetrics former =
        engines.put(cell.number(), new EngineMetrics(cell.engine(), registry, tags));
    if (former != null) {
      former.close();
    }
  }

  @Override
  public void closing(Cell cell) {
    EngineMetrics closed = engines.remove(cell.number());
    if (closed != null) {
      closed.close();
    }
  }

  /** Reads the state of the cluster, before the metrics are read. */
  void update() {
    ClusterStatus status;
    try {
      status = cells.status();
    } catch (StoreException unavailable) {
      LOG.log(System.Logger.Level.DEBUG, "metrics of the cluster are out of date", unavailable);
      return;
    }
    servers = status.servers().stream().filter(ServerStatus::isLive).count();
    skewMillis =
        status.servers().stream()
            .flatMapToLong(server -> server.skewMillis().stream())
            .map(Math::abs)
            .max()
            .orElse(0);
    List<CellStatus> own =
        status.cells().stream().filter(cell -> engines.containsKey(cell.number())).toList();
    epochs.register(rows(own, CellStatus::epoch), true);
    lags.register(rows(own, CellStatus::logLag), true);
  }

  private static List<Row<?>> rows(List<CellStatus> own, ToLongFunction<CellStatus> value) {
    List<Row<?>> rows = new ArrayList<>();
    for (CellStatus cell : own) {
      rows.add(Row.of(Tags.of(CELL, Integer.toString(cell.number())), value.applyAsLong(cell)));
    }
    return rows;
  }
}
