package dev.mayfly.mongo;

import dev.mayfly.engine.Engine;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.function.Consumer;

/** A server that is alone: one engine with all databases. */
final class SingleServer implements MongoServer {
  private final MongoFrontend frontend;
  private final MongoBackend backend;
  private final Dispatcher dispatcher;

  SingleServer(Engine engine, MongoSettings settings) {
    this.frontend = MongoFrontend.of(engine, settings);
    this.backend = new MongoBackend(frontend, engine);
    this.dispatcher = new Dispatcher(frontend, MongoBackends.single(backend));
  }

  @Override
  public MongoFrontend frontend() {
    return frontend;
  }

  @Override
  public MessageHandler handler() {
    return dispatcher;
  }

  @Override
  public List<MongoBackend> backends() {
    return List.of(backend);
  }

  @Override
  public List<Runnable> periodicTasks() {
    return backend.periodicTasks();
  }

  @Override
  public void onSlow(Consumer<Document> consumer) {
    backend.monitoring().profiler().onSlow(consumer);
  }

  @Override
  public void close() {
    backend.close();
  }
}
