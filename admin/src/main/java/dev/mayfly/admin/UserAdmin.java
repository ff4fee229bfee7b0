package dev.mayfly.admin;

import dev.mayfly.mongo.auth.Users;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/** Admin API for users of the MongoDB door. */
final class UserAdmin {
  private final Users users;

  UserAdmin(Users users) {
    this.users = users;
  }

  Document list() {
    DocumentWriter reply = Document.writer().startArray("users");
    users.descriptions().forEach(user -> reply.add(Value.of(user)));
    return reply.end().build();
  }

  Document add(Document body) {
    users.add(identity(body), AdminApi.text(body, "password"), body.field("roles"));
    return Document.EMPTY;
  }

  private static Identity identity(Document body) {
    return new Identity(AdminApi.text(body, "database"), AdminApi.text(body, "user"));
  }

  Document remove(List<String> names) {
    users.remove(new Identity(names.getFirst(), names.getLast()));
    return Document.EMPTY;
  }
}
