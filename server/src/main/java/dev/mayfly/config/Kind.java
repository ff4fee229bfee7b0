package dev.mayfly.config;

import java.util.List;
import java.util.Optional;

/** What values a setting can have. */
public sealed interface Kind {
  Kind TEXT = new Text("TEXT");
  Kind DIRECTORY = new Text("DIR");
  Kind FILE = new Text("FILE");
  Kind PORT = new WholeNumber(0, 0xFFFF);
  Kind SWITCH = new Choice(List.of("true", "false"));

  /** What stands for the value where the setting is explained. */
  String form();

  /** What is wrong with a value, to be said behind the name of the setting; empty if nothing is. */
  Optional<String> complaint(String value);

  /** Anything at all. */
  record Text(String form) implements Kind {
    @Override
    public Optional<String> complaint(String value) {
      return Optional.empty();
    }
  }

  /** What must not be seen by others. */
  record Secret() implements Kind {
    @Override
    public String form() {
      return "SECRET";
    }

    @Override
    public Optional<String> complaint(String value) {
      return Optional.empty();
    }
  }

  /** One of a few words. */
  record Choice(List<String> words) implements Kind {
    public Choice {
      words = List.copyOf(words);
    }

    @Override
    public String form() {
      return String.join("|", words);
    }

    @Override
    public Optional<String> complaint(String value) {
      return words.contains(value)
          ? Optional.empty()
          : Optional.of(
              "is one of " + String.join(", ", words) + ", not '" + value + "'" + guess(value));
    }

    private String guess(String value) {
      return Suggestion.of(value, words).map(word -> ": did you mean " + word + "?").orElse(".");
    }
  }

  /** A whole number between two others, both included. */
  record WholeNumber(long least, long most) implements Kind {
    @Override
    public String form() {
      return "NUMBER";
    }

    @Override
    public Optional<String> complaint(String value) {
      try {
        long number = Long.parseLong(value);
        if (number >= least && number <= most) {
          return Optional.empty();
        }
      } catch (NumberFormatException noNumber) {
        // the same complaint as about a number that is out of bounds
      }
      return Optional.of("is a number from " + least + " to " + most + ", not '" + value + "'.");
    }
  }

  /** A whole number between two others, both included, or none at all. */
  record NumberOrOff(long least, long most) implements Kind {
    private static final String OFF = "off";

    @Override
    public String form() {
      return "NUMBER|off";
    }

    @Override
    public Optional<String> complaint(String value) {
      return value.equals(OFF)
          ? Optional.empty()
          : new WholeNumber(least, most)
              .complaint(value)
              .map(text -> text.replace(", not", " or off, not"));
    }
  }

  /** A number of bytes, with a unit or without. */
  record Size(long least) implements Kind {
    private static final String UNITS = "kmgt";
    private static final int BITS_PER_UNIT = 10;

    @Override
    public String form() {
      return "SIZE";
    }

    @Override
    public Optional<String> complaint(String value) {
      try {
        if (bytes(value) >= least) {
          return Optional.empty();
        }
      } catch (NumberFormatException noNumber) {
        // the same complaint as about a number that is too small
      }
      return Optional.of(
          "is a size as in 64m, 2g or in bytes, at least " + least + ", not '" + value + "'.");
    }

    /**
     * How many bytes a value says.
     *
     * @throws NumberFormatException when it does not say so
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
