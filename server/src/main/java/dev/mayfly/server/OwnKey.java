package dev.mayfly.server;

import dev.mayfly.cosmos.CosmosSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;

/**
 * Random key of a server with {@code auth: always} and no configured key: created once and stored
 * in the data directory, in a file that only its owner can read. A server in memory creates a new
 * one at each start.
 */
public final class OwnKey {
  private static final String FILE = "cosmos-key";
  private static final int BYTES = 64;

  private OwnKey() {}

  /** File of the key in a data directory. */
  public static Path file(Path directory) {
    return directory.resolve(FILE);
  }

  /** The key of a data directory; empty if it does not exist or is not readable. */
  public static Optional<String> of(Path directory) {
    Path file = file(directory);
    try {
      return Files.isReadable(file)
          ? Optional.of(Files.readString(file).strip())
          : Optional.empty();
    } catch (IOException unreadable) {
      throw new UncheckedIOException("cannot read " + file, unreadable);
    }
  }

  /** Returns the settings with a key filled in where it is missing. */
  static ServerSettings resolve(ServerSettings settings) {
    Optional<CosmosSettings> cosmos = settings.cosmos().filter(door -> door.key().isEmpty());
    Optional<AdminSettings> admin = settings.admin().filter(door -> door.key().isEmpty());
    if (cosmos.isEmpty() && admin.isEmpty()) {
      return settings;
    }
    String key = settings.data().map(OwnKey::in).orElseGet(OwnKey::random);
    ServerSettings resolved =
        cosmos.map(door -> settings.withCosmos(door.withKey(key))).orElse(settings);
    return admin
        .map(door -> resolved.withAdmin(new AdminSettings(door.http(), key, door.wall())))
        .orElse(resolved);
  }

  /** The key of a data directory; creates it if it does not exist. */
  private static String in(Path directory) {
    Path file = file(directory);
    String key = random();
    try (var channel =
        Files.newByteChannel(
            file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly())) {
      channel.write(StandardCharsets.US_ASCII.encode(key + "\n"));
      return key;
    } catch (FileAlreadyExistsException exists) {
      return of(directory)
          .orElseThrow(() -> new IllegalStateException("cannot read " + file, exists));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  static String random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static FileAttribute<?>[] ownerOnly() {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
