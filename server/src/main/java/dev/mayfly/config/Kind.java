package dev.mayfly.config;

import java.util.List;
import java.util.Optional;

/** Type of a setting: which values are valid. */
public sealed interface Kind {
  Kind TEXT = new Text("TEXT");
  Kind DIRECTORY = new Text("DIR");
  Kind FILE = new Text("FILE");
  Kind PORT = new WholeNumber(0, 0xFFFF);
  Kind SWITCH = new Choice(List.of("true", "false"));

  /** Placeholder for the value in help texts. */
  String form();

  /**
   * Returns what is wrong with a value, as the rest of a sentence that begins with the name of the
   * setting; empty if the value is valid.
   */
  Optional<String> problem(String value);

  /** Any text. */
  record Text(String form) implements Kind {
    @Override
    public Optional<String> problem(String value) {
      return Optional.empty();
    }
  }

  /** A value that must not be logged or listed. */
  record Secret() implements Kind {
    @Override
    public String form() {
      return "SECRET";
    }

    @Override
    public Optional<String> problem(String value) {
      return Optional.empty();
    }
  }

  /** One of several words. */
  record Choice(List<String> words) implements Kind {
    public Choice {
      words = List.copyOf(words);
    }

    @Override
    public String form() {
      return String.join("|", words);
    }

    @Override
    public Optional<String> problem(String value) {
      return words.contains(value)
          ? Optional.empty()
          : Optional.of(
              "must be one of "
                  + String.join(", ", words)
                  + ", not '"
                  + value
                  + "'"
                  + suggestion(value));
    }

    /** Whether the option without a value means {@code true}. */
    public boolean isSwitch() {
      return words.contains("true");
    }

    private String suggestion(String value) {
      return Suggestion.of(value, words).map(word -> ". Did you mean " + word + "?").orElse(".");
    }
  }

  /** An integer within inclusive bounds. */
  record WholeNumber(long min, long max) implements Kind {
    @Override
    public String form() {
      return "NUMBER";
    }

    @Override
    public Optional<String> problem(String value) {
      try {
        long number = Long.parseLong(value);
        if (number >= min && number <= max) {
          return Optional.empty();
        }
      } catch (NumberFormatException invalid) {
        // same message as for a number out of range
      }
      return Optional.of("must be a number from " + min + " to " + max + ", not '" + value + "'.");
    }
  }

  /** An integer within inclusive bounds, or {@code off}. */
  record NumberOrOff(long min, long max) implements Kind {
    private static final String OFF = "off";

    @Override
    public String form() {
      return "NUMBER|off";
    }

    @Override
    public Optional<String> problem(String value) {
      return value.equals(OFF)
          ? Optional.empty()
          : new WholeNumber(min, max)
              .problem(value)
              .map(text -> text.replace(", not", " or off, not"));
    }
  }

  /** A size in bytes, with or without a unit. */
  record Size(long min) implements Kind {
    private static final String UNITS = "kmgt";
    private static final int BITS_PER_UNIT = 10;

    @Override
    public String form() {
      return "SIZE";
    }

    @Override
    public Optional<String> problem(String value) {
      try {
        if (bytes(value) >= min) {
          return Optional.empty();
        }
      } catch (NumberFormatException invalid) {
        // same message as for a number that is too small
      }
      return Optional.of(
          "must be a size such as 64m, 2g or a number of bytes, at least "
              + min
              + ", not '"
              + value
              + "'.");
    }

    /**
     * Parses a size into bytes.
     *
     * @throws NumberFormatException when it is not a size
     */
    static long bytes(String value) {
      int unit =
          value.isEmpty()
              ? -1
              : UNITS.indexOf(Character.toLowerCase(value.charAt(value.length() - 1)));
      if (unit < 0) {
        return Long.parseLong(value);
      }
      long number = Long.parseLong(value.substring(0, value.length() - 1));
      int shift = BITS_PER_UNIT * (unit + 1);
      if (number > Long.MAX_VALUE >> shift) {
        throw new NumberFormatException(value);
      }
      return number << shift;
    }
  }
}
