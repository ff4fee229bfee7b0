package dev.mayfly.console;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Settings of the console.
 *
 * @param reach which browsers it serves
 * @param readOnly whether it refuses everything that changes something
 * @param label text of a bar on every page, perhaps followed by a colour: {@code production red};
 *     empty for no bar
 * @param names names of this server in its certificate
 * @param directory for development: directory with files that win over those of the jar
 */
public record ConsoleSettings(
    Reach reach, boolean readOnly, String label, Set<String> names, Optional<Path> directory) {
  public ConsoleSettings {
    names = Set.copyOf(names);
  }

  /** Which browsers the console serves. */
  public enum Reach {
    /** Those on this machine. */
    LOCAL,
    /** All; from other machines through TLS only. */
    ON,
    OFF
  }

  /** For browsers on this machine, with all rights, without a label. */
  public static ConsoleSettings standard() {
    return new ConsoleSettings(Reach.LOCAL, false, "", Set.of(), Optional.empty());
  }

  public ConsoleSettings withReach(Reach changed) {
    return new ConsoleSettings(changed, readOnly, label, names, directory);
  }

  public ConsoleSettings withReadOnly(boolean changed) {
    return new ConsoleSettings(reach, changed, label, names, directory);
  }

  public ConsoleSettings withLabel(String changed) {
    return new ConsoleSettings(reach, readOnly, changed, names, directory);
  }

  public ConsoleSettings withDirectory(Path changed) {
    return new ConsoleSettings(reach, readOnly, label, names, Optional.of(changed));
  }
}
