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

/** {@code dbStats}: how much a database holds; sizes as {@link CollStatsCommand} counts them. */
public final class DbStatsCommand implements Command {
  private static final System.Logger LOG = System.getLogger(DbStatsCommand.class.getName());

  private final Namespaces namespaces;
  private final Optional<Path> disk;

  /**
   * What weighs databases.
   *
   * @param disk a place on the disk that holds them; empty when none does
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
    List<Sizes> sizes = collections.stream().map(found -> Sizes.of(found.collection())).toList();
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
    disk.ifPresent(path -> room(path, scale, reply));
  }

  /** Writes how much of the disk is taken, by whomever; nothing when the disk does not tell. */
  private static void room(Path path, long scale, DocumentWriter reply) {
    Path there = path;
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    try {
      FileStore disk = Files.getFileStore(there);
      reply.put("fsUsedSize", (double) (disk.getTotalSpace() - disk.getUnallocatedSpace()) / scale);
      reply.put("fsTotalSize", (double) disk.getTotalSpace() / scale);
    } catch (IOException untold) {
      LOG.log(Level.DEBUG, "the disk does not tell its size", untold);
    }
  }
}
