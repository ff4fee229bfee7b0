package dev.mayfly.mongo.command;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Copy of the documents in the home cell that every server needs: users, roles, the secret of
 * logins, default concerns and the write block mode.
 *
 * @param document one array of documents for each collection, by its full name
 */
public record HomeCopy(Document document) {
  public static final Namespace USERS = new Namespace("admin", "system.users");
  public static final Namespace ROLES = new Namespace("admin", "system.roles");
  public static final Namespace LOGIN_SECRET = new Namespace("admin", "system.keys");
  public static final Namespace SETTINGS = new Namespace("config", "settings");
  public static final Namespace WRITE_BLOCK =
      new Namespace("config", "user_writes_critical_sections");

  private static final List<Namespace> COLLECTIONS =
      List.of(USERS, ROLES, LOGIN_SECRET, SETTINGS, WRITE_BLOCK);

  /** Reads the documents from the engine of the home cell. */
  public static HomeCopy of(Engine home) {
    DocumentWriter all = Document.writer();
    for (Namespace name : COLLECTIONS) {
      List<Value> documents = new ArrayList<>();
      home.find(name).ifPresent(collection -> addAll(collection, documents));
      all.put(name.toString(), Value.array(documents));
    }
    return new HomeCopy(all.build());
  }

  private static void addAll(Collection collection, List<Value> documents) {
    try (Cursor cursor = collection.query(Query.of(new Filter.All(), Mode.MATCH))) {
      while (cursor.next()) {
        documents.add(Value.of(cursor.document()));
      }
    }
  }

  /** The documents of one of the collections. */
  public List<Document> documents(Namespace collection) {
    List<Document> documents = new ArrayList<>();
    Value array = document.field(collection.toString());
    if (array.isArray()) {
      Fields elements = array.asDocument().fields();
      while (elements.next()) {
        documents.add(elements.value().asDocument());
      }
    }
    return documents;
  }

  /** A text that differs for copies that differ. */
  public String digest() {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(document.bytes()));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
