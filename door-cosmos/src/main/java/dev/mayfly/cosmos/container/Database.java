package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.value.Document;

/** A database: a namespace of containers. Immutable. */
public final class Database {
  private final String id;
  private final Rid rid;
  private final String self;
  private final Document resource;

  Database(String id, Metadata.Entry entry) {
    this.id = id;
    this.rid = Rid.database(entry.number());
    this.self = "dbs/" + rid + "/";
    this.resource =
        Document.writer()
            .put("id", id)
            .put("_rid", rid.text())
            .put("_self", self)
            .put("_etag", entry.etag())
            .put("_colls", "colls/")
            .put("_users", "users/")
            .put("_ts", entry.seconds())
            .build();
  }

  public String id() {
    return id;
  }

  public Rid rid() {
    return rid;
  }

  /** Returns its address with the rid: {@code dbs/x/}. */
  public String self() {
    return self;
  }

  /** Returns its address with the name: {@code dbs/x}. */
  public String link() {
    return "dbs/" + id;
  }

  /** Returns the resource for clients. */
  public Document resource() {
    return resource;
  }
}
