package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Identity;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A user, as stored in {@code admin.system.users}.
 *
 * @param userId a UUID that never changes
 * @param customData arbitrary data of the creator; missing without any
 */
record User(
    Identity identity,
    Value userId,
    Map<Mechanism, Credential> credentials,
    List<Role> roles,
    Value customData) {
  private static final byte UUID_SUBTYPE = 4;

  User {
    credentials = Map.copyOf(credentials);
    roles = List.copyOf(roles);
  }

  /** A new random user id. */
  static Value freshId() {
    UUID id = UUID.randomUUID();
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(id.getMostSignificantBits())
            .putLong(id.getLeastSignificantBits())
            .array();
    return Value.binary(UUID_SUBTYPE, bytes);
  }

  static Value id(Identity identity) {
    return Value.of(identity.database() + "." + identity.user());
  }

  User withRoles(List<Role> changed) {
    return new User(identity, userId, credentials, changed, customData);
  }

  User withCredentials(Map<Mechanism, Credential> changed) {
    return new User(identity, userId, changed, roles, customData);
  }

  User withCustomData(Value changed) {
    return new User(identity, userId, credentials, roles, changed);
  }

  static User of(Document stored) {
    String database = stored.field("db").asString();
    Map<Mechanism, Credential> credentials = new EnumMap<>(Mechanism.class);
    Fields mechanisms = stored.field("credentials").asDocument().fields();
    while (mechanisms.next()) {
      Document credential = mechanisms.value().asDocument();
      Mechanism.labelled(mechanisms.name())
          .ifPresent(mechanism -> credentials.put(mechanism, Credential.of(credential)));
    }
    return new User(
        new Identity(database, stored.field("user").asString()),
        stored.field("userId"),
        credentials,
        Role.parse(stored.field("roles"), database),
        stored.field("customData"));
  }

  Document toDocument() {
    DocumentWriter writer = Document.writer().put("_id", id(identity)).put("userId", userId);
    writer.put("user", identity.user()).put("db", identity.database());
    writeCredentials(writer);
    return writer.put("customData", customData).put("roles", roleValues()).build();
  }

  void writeCredentials(DocumentWriter writer) {
    writer.startDocument("credentials");
    for (Mechanism mechanism : Mechanism.values()) {
      Credential credential = credentials.get(mechanism);
      if (credential != null) {
        writer.startDocument(mechanism.label());
        credential.write(writer);
        writer.end();
      }
    }
    writer.end();
  }

  Value roleValues() {
    return Role.toValue(roles);
  }

  /** The names of the mechanisms by which this user can log in. */
  Value mechanisms() {
    return Value.array(
        credentials.keySet().stream().sorted().map(one -> Value.of(one.label())).toList());
  }
}
