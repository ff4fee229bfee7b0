package dev.mayfly.mongo.auth;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.auth.Privilege.Resource;
import dev.mayfly.mongo.command.Identity;
import java.util.Arrays;
import java.util.List;

/** Requirement of a command: privileges or properties that its user must have. */
sealed interface Need {
  /** Requires only a login. */
  Need NOTHING = new All(List.of());

  /** An action on a resource: a collection, a database, all databases or the cluster. */
  record Action(String action, Resource on) implements Need {}

  /** The user is this one. */
  record Is(Identity user) implements Need {}

  /** The user has this role, granted or inherited. */
  record Has(Role role) implements Need {}

  /** All of these. */
  record All(List<Need> needs) implements Need {
    public All {
      needs = List.copyOf(needs);
    }
  }

  /** At least one of these. */
  record AnyOf(List<Need> needs) implements Need {
    public AnyOf {
      needs = List.copyOf(needs);
    }
  }

  /** The user does not meet this. */
  record Not(Need need) implements Need {}

  static Need all(Need... needs) {
    return all(Arrays.asList(needs));
  }

  static Need all(List<Need> needs) {
    return needs.size() == 1 ? needs.getFirst() : new All(needs);
  }

  static Need anyOf(Need... needs) {
    return new AnyOf(Arrays.asList(needs));
  }

  /** Actions on a collection. */
  static Need on(Namespace namespace, String... actions) {
    return on(new Resource.Named(namespace.database(), namespace.collection()), actions);
  }

  /** Actions on all collections of a database except system collections. */
  static Need onDatabase(String database, String... actions) {
    return on(new Resource.Named(database, ""), actions);
  }

  /** Actions on all databases except config and local. */
  static Need onAllDatabases(String... actions) {
    return on(new Resource.Named("", ""), actions);
  }

  static Need onCluster(String... actions) {
    return on(new Resource.Cluster(), actions);
  }

  private static Need on(Resource resource, String... actions) {
    return all(Arrays.stream(actions).<Need>map(action -> new Action(action, resource)).toList());
  }
}
