package dev.mayfly.mongo.auth;

import static dev.mayfly.mongo.command.Access.INSPECT;
import static dev.mayfly.mongo.command.Access.MANAGE;
import static dev.mayfly.mongo.command.Access.MONITOR;
import static dev.mayfly.mongo.command.Access.OPERATE;
import static dev.mayfly.mongo.command.Access.READ;
import static dev.mayfly.mongo.command.Access.SCHEMA;
import static dev.mayfly.mongo.command.Access.USERS;
import static dev.mayfly.mongo.command.Access.WRITE;

import dev.mayfly.mongo.command.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A role that MongoDB has by itself, and what it allows.
 *
 * @param ofAdmin whether it reaches every database; such a role is one of the database admin
 */
record BuiltinRole(String label, boolean ofAdmin, Set<Access> allowed) {
  /** Reads everything, the keys of users included. */
  static final BuiltinRole BACKUP = everywhere("backup", READ, INSPECT, MONITOR);

  private static final Set<Access> ON_COLLECTIONS =
      Set.of(READ, WRITE, SCHEMA, MANAGE, INSPECT, USERS);
  private static final Set<Access> ON_SERVER = Set.of(MONITOR, OPERATE);

  /** All of them. */
  static final List<BuiltinRole> ALL =
      List.of(
          ofOne("read", READ, INSPECT),
          ofOne("readWrite", READ, WRITE, SCHEMA, INSPECT),
          ofOne("dbAdmin", SCHEMA, MANAGE, INSPECT),
          ofOne("userAdmin", USERS),
          ofOne("dbOwner", READ, WRITE, SCHEMA, MANAGE, INSPECT, USERS),
          everywhere("readAnyDatabase", READ, INSPECT),
          everywhere("readWriteAnyDatabase", READ, WRITE, SCHEMA, INSPECT),
          everywhere("dbAdminAnyDatabase", SCHEMA, MANAGE, INSPECT),
          everywhere("userAdminAnyDatabase", USERS),
          everywhere("clusterMonitor", MONITOR, INSPECT),
          everywhere("clusterManager", OPERATE),
          everywhere("hostManager", OPERATE),
          everywhere("clusterAdmin", MONITOR, OPERATE, INSPECT, MANAGE),
          BACKUP,
          everywhere("restore", WRITE, SCHEMA, MANAGE, INSPECT, USERS),
          everywhere("root", READ, WRITE, SCHEMA, MANAGE, INSPECT, USERS, MONITOR, OPERATE));

  BuiltinRole {
    allowed = Set.copyOf(allowed);
  }

  private static BuiltinRole ofOne(String label, Access... allowed) {
    return new BuiltinRole(label, false, Set.of(allowed));
  }

  private static BuiltinRole everywhere(String label, Access... allowed) {
    return new BuiltinRole(label, true, Set.of(allowed));
  }

  boolean allows(Access access) {
    return allowed.contains(access);
  }

  /** As {@link #allows}, of what others have asked for: only those who watch over them see it. */
  boolean allowsOnProfile(Access access) {
    boolean watches = allows(MANAGE) || allows(MONITOR);
    return watches && (access == READ || allows(access));
  }

  /** Whether it may look at the keys of users. */
  boolean readsUsers() {
    return equals(BACKUP) || allows(USERS);
  }

  /** What it allows in a database, as MongoDB would name it. */
  List<Privilege> privileges(String database) {
    List<Privilege> privileges = new ArrayList<>();
    add(privileges, new Privilege.Resource.Named(ofAdmin ? "" : database, ""), ON_COLLECTIONS);
    if (ofAdmin) {
      add(privileges, new Privilege.Resource.Cluster(), ON_SERVER);
    }
    return privileges;
  }

  private void add(List<Privilege> to, Privilege.Resource resource, Set<Access> which) {
    Set<String> actions = new TreeSet<>();
    which.stream().filter(this::allows).map(Actions::of).forEach(actions::addAll);
    if (!actions.isEmpty()) {
      to.add(new Privilege(resource, actions));
    }
  }

  static Optional<BuiltinRole> labelled(String label) {
    return ALL.stream().filter(one -> one.label.equals(label)).findFirst();
  }
}
