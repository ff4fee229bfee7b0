package dev.mayfly.bench;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** mongo-java-server, an in-memory server for tests, as a program. */
final class MemoryServer {
  private MemoryServer() {}

  /** Serves until the process ends. */
  public static void main(String[] arguments) {
    MongoServer server = new MongoServer(new MemoryBackend());
    server.bind();
    System.out.println(server.getConnectionString());
  }
}
