package dev.mayfly.bench;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;

/** The in-memory server that Java projects test against, as a program of its own. */
final class MemoryServer {
  private MemoryServer() {}

  /** Serves until the process is ended. */
  public static void main(String[] arguments) {
    MongoServer server = new MongoServer(new MemoryBackend());
    server.bind();
    System.out.println(server.getConnectionString());
  }
}
