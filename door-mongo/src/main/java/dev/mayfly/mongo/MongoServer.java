package dev.mayfly.mongo;

import dev.mayfly.value.Document;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the door serves to its connections: one engine ({@link SingleServer}), or the cells of
 * several servers ({@link ClusterServer}). Thread-safe.
 */
interface MongoServer extends AutoCloseable {
  MongoFrontend frontend();

  /** Returns what answers the messages of clients. */
  MessageHandler handler();

  /** Returns the backends of the engines that this server serves now. */
  List<MongoBackend> backends();

  /** Returns the tasks to run about twice a second. */
  List<Runnable> periodicTasks();

  /** Sets the consumer of slow requests. */
  void onSlow(Consumer<Document> consumer);

  /** Called after the last connection has ended. Leaves engines open. */
  @Override
  void close();
}
