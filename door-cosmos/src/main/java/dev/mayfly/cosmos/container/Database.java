package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.value.Document;

/** A database: a name that containers share. Immutable. */
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

  /** Its address by rid, as resources tell it: {@code dbs/x/}. */
  public String self() {
    return self;
  }

  /** Its address by name: {@code dbs/x}. */
  public String link() {
    return "dbs/" + id;
  }

  /** As the client sees it. */
  public Document resource() {
    return resource;
  }
}
