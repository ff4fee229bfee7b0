package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.collection.Sizes;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code dbStats}: storage statistics of a database. Sizes are counted as in {@link
 * CollStatsCommand}.
 */
public final class DbStatsCommand implements Command {
  private static final System.Logger LOG = System.getLogger(DbStatsCommand.class.getName());

  private final Namespaces namespaces;
  private final Optional<Path> disk;

  /**
   * @param disk a path on the disk that stores the databases; empty if they are in memory
   */
  public DbStatsCommand(Namespaces namespaces, Optional<Path> disk) {
    this.namespaces = namespaces;
    this.disk = disk;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("scale", "freeStorage"));
    Names.checkDatabase(request.database());
    long scale = Sizes.scale(request);
    List<Found> all = new ArrayList<>();
    for (Namespace name : namespaces.of(request.database())) {
      namespaces.find(name).ifPresent(all::add);
    }
    List<Found> collections = all.stream().filter(found -> !found.isView()).toList();
    List<Sizes> sizes =
        collections.stream()
            .map(found -> Sizes.of(request.operation(), found.collection()))
            .toList();
    long documents = sizes.stream().mapToLong(one -> one.live().documents()).sum();
    long bytes = sizes.stream().mapToLong(one -> one.live().bytes()).sum();
    long ofDocuments = sizes.stream().mapToLong(Sizes::ofDocuments).sum();
    long ofIndexes = sizes.stream().mapToLong(Sizes::ofIndexes).sum();
    long indexes = collections.stream().mapToLong(found -> Indexes.of(found.spec()).size()).sum();
    reply.put("db", request.database());
    reply.put("collections", (long) collections.size());
    reply.put("views", (long) (all.size() - collections.size()));
    reply.put("objects", documents);
    reply.put("avgObjSize", documents == 0 ? 0.0 : (double) bytes / documents);
    reply.put("dataSize", (double) bytes / scale);
    reply.put("storageSize", (double) ofDocuments / scale);
    reply.put("indexes", indexes);
    reply.put("indexSize", (double) ofIndexes / scale);
    reply.put("totalSize", (double) (ofDocuments + ofIndexes) / scale);
    reply.put("scaleFactor", scale);
    disk.ifPresent(path -> writeDiskSpace(path, scale, reply));
  }

  /** Writes size and used space of the whole disk; nothing if they are unknown. */
  private static void writeDiskSpace(Path path, long scale, DocumentWriter reply) {
    Path existing = path;
    while (!Files.exists(existing) && existing.getParent() != null) {
      existing = existing.getParent();
    }
    try {
      FileStore disk = Files.getFileStore(existing);
      reply.put("fsUsedSize", (double) (disk.getTotalSpace() - disk.getUnallocatedSpace()) / scale);
      reply.put("fsTotalSize", (double) disk.getTotalSpace() / scale);
    } catch (IOException failure) {
      LOG.log(Level.DEBUG, "cannot read the size of the disk", failure);
    }
  }
}
