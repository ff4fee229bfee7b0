package dev.mayfly.engine.archive;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What happens to the expired documents of a collection. Immutable.
 *
 * <p>One document form serves both protocols, the admin API and the catalog:
 *
 * <pre>{@code
 * {moveTo: "archive.orders"}
 * {files: "orders", format: "ndjson", compress: "gzip", rollBytes: 67108864, rollSeconds: 3600}
 * {post: "https://example.com/expired"}
 * }</pre>
 *
 * @param evicted whether documents that a limit of the collection removes are delivered, too
 */
public record OnExpire(Target target, boolean evicted) {
  /** Expired documents are removed. */
  public static final OnExpire NOTHING = new OnExpire(new Target.Nothing(), false);

  private static final String MOVE = "moveTo";
  private static final String FILES = "files";
  private static final String FORMAT = "format";
  private static final String COMPRESS = "compress";
  private static final String ROLL_BYTES = "rollBytes";
  private static final String ROLL_SECONDS = "rollSeconds";
  private static final String POST = "post";
  private static final String EVICTED = "evicted";
  private static final Set<String> OF_FILES =
      Set.of(FILES, FORMAT, COMPRESS, ROLL_BYTES, ROLL_SECONDS, EVICTED);
  private static final Set<String> OF_MOVE = Set.of(MOVE, EVICTED);
  private static final Set<String> OF_POST = Set.of(POST, EVICTED);

  /** Where expired documents go. */
  public sealed interface Target {
    /** Nowhere: they are removed. */
    record Nothing() implements Target {}

    /** Another collection of this engine. */
    record Move(String database, String collection) implements Target {
      @Override
      public String toString() {
        return database + "." + collection;
      }
    }

    /**
     * Files of one directory.
     *
     * @param directory a name below the directory of the settings
     * @param rollBytes size from which on a file is closed and the next begun
     * @param rollSeconds age from which on a file is closed
     */
    record Files(
        String directory, FileFormat format, boolean gzip, long rollBytes, long rollSeconds)
        implements Target {
      private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}");
      private static final long MIN_ROLL_BYTES = 1024;

      /** 64 MiB. */
      static final long STANDARD_ROLL_BYTES = 64 << 20;

      /** One hour. */
      static final long STANDARD_ROLL_SECONDS = 3600;

      public Files {
        require(
            NAME.matcher(directory).matches(),
            "'files' must be a name of letters, digits, '.', '-' and '_' for a directory, not '"
                + directory
                + "'");
        require(rollBytes >= MIN_ROLL_BYTES, "'rollBytes' must be at least " + MIN_ROLL_BYTES);
        require(rollSeconds >= 1, "'rollSeconds' must be at least 1");
      }

      /** NDJSON, compressed, a new file after 64 MiB or one hour. */
      public static Files in(String directory) {
        return new Files(
            directory, FileFormat.NDJSON, true, STANDARD_ROLL_BYTES, STANDARD_ROLL_SECONDS);
      }
    }

    /** An HTTP address that receives batches of documents by POST. */
    record Post(URI address) implements Target {
      public Post {
        String scheme = address.getScheme();
        require(
            ("http".equals(scheme) || "https".equals(scheme))
                && address.getHost() != null
                && address.getUserInfo() == null
                && address.getFragment() == null,
            "'post' must be an http or https address without user and fragment");
      }

      /** The host, with the port if the address contains one: what a setting must allow. */
      public String authority() {
        return address.getHost().toLowerCase(Locale.ROOT)
            + (address.getPort() < 0 ? "" : ":" + address.getPort());
      }
    }
  }

  /** Format of archive files. */
  public enum FileFormat {
    /** Extended JSON, one document per line. */
    NDJSON,
    /** BSON documents in a row, as mongodump writes them. */
    BSON;

    /** The name in options and of files. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Moves expired documents to another collection. */
  public static OnExpire moveTo(String database, String collection) {
    return new OnExpire(new Target.Move(database, collection), false);
  }

  /** Appends expired documents to files of a directory. */
  public static OnExpire files(String directory) {
    return new OnExpire(Target.Files.in(directory), false);
  }

  /** Sends expired documents to an HTTP address. */
  public static OnExpire post(URI address) {
    return new OnExpire(new Target.Post(address), false);
  }

  /** Returns this, with or without documents that a limit removes. */
  public OnExpire withEvicted(boolean also) {
    return new OnExpire(target, also);
  }

  /** Returns whether expired documents are delivered anywhere. */
  public boolean delivers() {
    return !(target instanceof Target.Nothing);
  }

  /**
   * Parses the document form; an empty document is {@link #NOTHING}.
   *
   * @throws IllegalArgumentException with a message for users
   */
  public static OnExpire of(Document form) {
    if (form.isEmpty()) {
      return NOTHING;
    }
    boolean evicted = flag(form);
    if (has(form, MOVE)) {
      checkFields(form, OF_MOVE);
      return new OnExpire(move(text(form, MOVE)), evicted);
    }
    if (has(form, FILES)) {
      checkFields(form, OF_FILES);
      return new OnExpire(
          new Target.Files(
              text(form, FILES),
              format(form),
              compressed(form),
              number(form, ROLL_BYTES, Target.Files.STANDARD_ROLL_BYTES),
              number(form, ROLL_SECONDS, Target.Files.STANDARD_ROLL_SECONDS)),
          evicted);
    }
    require(has(form, POST), "an action on expiry needs one of 'moveTo', 'files', 'post'");
    checkFields(form, OF_POST);
    return new OnExpire(new Target.Post(address(text(form, POST))), evicted);
  }

  private static Target.Move move(String name) {
    int dot = name.indexOf('.');
    require(
        dot > 0 && dot < name.length() - 1,
        "'moveTo' must be DATABASE.COLLECTION or cosmos:DATABASE.CONTAINER, not '" + name + "'");
    return new Target.Move(name.substring(0, dot), name.substring(dot + 1));
  }

  private static URI address(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException invalid) {
      throw new IllegalArgumentException(
          "'post' is not an address: " + invalid.getReason(), invalid);
    }
  }

  private static FileFormat format(Document form) {
    if (!has(form, FORMAT)) {
      return FileFormat.NDJSON;
    }
    String name = text(form, FORMAT);
    for (FileFormat format : FileFormat.values()) {
      if (format.code().equals(name)) {
        return format;
      }
    }
    throw new IllegalArgumentException("'format' must be ndjson or bson, not '" + name + "'");
  }

  private static boolean compressed(Document form) {
    if (!has(form, COMPRESS)) {
      return true;
    }
    String name = text(form, COMPRESS);
    require(
        name.equals("gzip") || name.equals("none"),
        "'compress' must be gzip or none, not '" + name + "'");
    return name.equals("gzip");
  }

  private static boolean has(Document form, String name) {
    return !form.field(name).isMissing();
  }

  private static String text(Document form, String name) {
    Value value = form.field(name);
    require(value.type() == Type.STRING, "'" + name + "' must be a string");
    return value.asString();
  }

  private static boolean flag(Document form) {
    Value value = form.field(EVICTED);
    require(value.isMissing() || value.type() == Type.BOOLEAN, "'evicted' must be true or false");
    return !value.isMissing() && value.asBoolean();
  }

  private static long number(Document form, String name, long standard) {
    Value value = form.field(name);
    if (value.isMissing()) {
      return standard;
    }
    double number = value.isNumber() ? value.asDouble() : Double.NaN;
    require(
        number == Math.rint(number) && Math.abs(number) < 1L << 53,
        "'" + name + "' must be a whole number");
    return (long) number;
  }

  private static void checkFields(Document form, Set<String> known) {
    Fields fields = form.fields();
    while (fields.next()) {
      require(
          known.contains(fields.name()),
          "an action on expiry has no field '" + fields.name() + "' here");
    }
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** Returns the document form, complete; empty for {@link #NOTHING}. */
  public Document toDocument() {
    DocumentWriter form = Document.writer();
    switch (target) {
      case Target.Nothing() -> {
        return Document.EMPTY;
      }
      case Target.Move move -> form.put(MOVE, move.toString());
      case Target.Files files ->
          form.put(FILES, files.directory())
              .put(FORMAT, files.format().code())
              .put(COMPRESS, files.gzip() ? "gzip" : "none")
              .put(ROLL_BYTES, files.rollBytes())
              .put(ROLL_SECONDS, files.rollSeconds());
      case Target.Post(URI address) -> form.put(POST, address.toString());
    }
    return (evicted ? form.put(EVICTED, true) : form).build();
  }

  /** Returns what happens to expired documents, for people. */
  public String sentence() {
    return switch (target) {
      case Target.Nothing() -> "Expired documents are removed.";
      case Target.Move move -> "Expired documents are moved to " + move + ".";
      case Target.Files files ->
          "Expired documents are appended to files in " + files.directory() + ".";
      case Target.Post post -> "Expired documents are sent to " + post.authority() + ".";
    };
  }
}
