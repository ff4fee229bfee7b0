package dev.mayfly.engine.deliver;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.engine.archive.OnExpire.Target;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** Check of an action on expiry before a collection gets it. */
public final class ActionCheck {
  private static final Set<String> SYSTEM_DATABASES = Set.of("admin", "config", "local", "cosmos:");

  private ActionCheck() {}

  /**
   * Checks that the settings allow an action and that its target exists.
   *
   * @param of the collection that gets the action
   * @param collections finds collections by name
   * @param all all collections
   * @throws EngineException BAD_SPEC
   */
  public static void check(
      Namespace of,
      OnExpire action,
      ArchiveSettings settings,
      Function<Namespace, Optional<Collection>> collections,
      Supplier<Iterable<? extends Collection>> all) {
    switch (action.target()) {
      case Target.Nothing() -> {}
      case Target.Move move -> checkMove(of, namespace(move), collections);
      case Target.Files files -> checkFiles(of, files, settings, all.get());
      case Target.Post post ->
          require(
              settings.allows(post),
              "documents may not be sent to "
                  + post.authority()
                  + ": the operator must name it in on-expire-hosts");
    }
  }

  private static Namespace namespace(Target.Move move) {
    return new Namespace(move.database(), move.collection());
  }

  private static void checkMove(
      Namespace of, Namespace to, Function<Namespace, Optional<Collection>> collections) {
    require(
        !SYSTEM_DATABASES.contains(to.database()) && !to.collection().startsWith("system."),
        "documents cannot be moved to the system collection " + to);
    Set<Namespace> chain = new HashSet<>();
    Namespace next = to;
    while (chain.add(next)) {
      require(!next.equals(of), "documents of " + of + " would be moved to itself");
      Optional<Collection> target = collections.apply(next);
      if (next.equals(to)) {
        require(target.isPresent(), "the collection " + to + " does not exist: create it first");
      }
      if (target.isEmpty()
          || !(target.get().spec().onExpire().target() instanceof Target.Move onward)) {
        return;
      }
      next = namespace(onward);
    }
  }

  private static void checkFiles(
      Namespace of,
      Target.Files files,
      ArchiveSettings settings,
      Iterable<? extends Collection> all) {
    require(
        settings.directory().isPresent(),
        "files cannot be written: the operator must set on-expire-directory");
    for (Collection other : all) {
      require(
          other.namespace().equals(of)
              || !(other.spec().onExpire().target() instanceof Target.Files taken)
              || !taken.directory().equals(files.directory()),
          "the directory " + files.directory() + " belongs to " + other.namespace());
    }
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new EngineException(Reason.BAD_SPEC, rule);
    }
  }
}
