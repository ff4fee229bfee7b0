package dev.mayfly.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** One of the servers that {@link MongoBench} compares, with its client. */
interface DoorServer extends AutoCloseable {
  /** Stores the documents that operations read and update. */
  void load() throws Exception;

  /** Work of one client; empty if the server cannot do the operation. */
  Optional<Load.Work> work(DoorOperation operation);

  /** Removes the documents that a round has inserted. */
  void dropInserted() throws Exception;

  /** CPU time of the server so far. */
  Duration processorTime();

  /** Bytes that the server has allocated on its Java heap so far; NaN if it has none. */
  double allocatedBytes();

  @Override
  void close() throws IOException;
}
