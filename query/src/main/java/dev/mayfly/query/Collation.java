package dev.mayfly.query;

import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RawCollationKey;
import com.ibm.icu.text.RuleBasedCollator;
import com.ibm.icu.util.ULocale;
import com.ibm.icu.util.VersionInfo;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Collation: how strings compare, by bytes or by the rules of a language.
 *
 * <p>A collation {@linkplain #fold folds} values: every string becomes its sort key, whose bytes
 * compare as the collation orders the strings. Comparisons, keys, groups and intervals then treat
 * folded values like plain ones. Folding with {@link #SIMPLE} changes nothing and costs nothing.
 *
 * <p>Immutable; safe for many threads. Collations are equal if their settings give the same order.
 */
public final class Collation {
  /** Strings compare by their UTF-8 bytes. */
  public static final Collation SIMPLE = new Collation();

  private final Settings settings;
  private final RuleBasedCollator collator;

  /**
   * Settings of a collation, in terms of the Unicode collation algorithm.
   *
   * @param strength number of levels of difference that count, 1 to 5
   * @param caseFirst {@code upper}, {@code lower} or {@code off}
   * @param alternate {@code shifted} to ignore {@code maxVariable} characters, else {@code
   *     non-ignorable}
   * @param maxVariable {@code punct} or {@code space}
   */
  public record Settings(
      String locale,
      boolean caseLevel,
      String caseFirst,
      int strength,
      boolean numericOrdering,
      String alternate,
      String maxVariable,
      boolean normalization,
      boolean backwards) {
    /** Returns the default settings of a locale. */
    public static Settings of(String locale) {
      return new Settings(
          locale, false, "off", 3, false, "non-ignorable", "punct", false, isBackwards(locale));
    }

    /** Canadian French compares accents from the end. */
    private static boolean isBackwards(String locale) {
      return locale.equals("fr_CA") || locale.startsWith("fr_CA@");
    }
  }

  private Collation() {
    this.settings = Settings.of("simple");
    this.collator = (RuleBasedCollator) Collator.getInstance(ULocale.ROOT).freeze();
  }

  private Collation(Settings settings) {
    this.settings = settings;
    this.collator = collator(settings);
  }

  /**
   * Returns the collation with these settings.
   *
   * @throws QueryException BAD_COLLATION if a setting is invalid or the locale is unknown
   */
  public static Collation of(Settings settings) {
    return settings.locale().equals("simple") ? SIMPLE : new Collation(settings);
  }

  /**
   * Returns the collation of a stored form; absent settings have their defaults.
   *
   * @throws QueryException BAD_COLLATION if the document is not a stored form
   */
  public static Collation of(Document form) {
    Settings usual = Settings.of(text(form, "locale", ""));
    return of(
        new Settings(
            usual.locale(),
            flag(form, "caseLevel", usual.caseLevel()),
            text(form, "caseFirst", usual.caseFirst()),
            number(form, "strength", usual.strength()),
            flag(form, "numericOrdering", usual.numericOrdering()),
            text(form, "alternate", usual.alternate()),
            text(form, "maxVariable", usual.maxVariable()),
            flag(form, "normalization", usual.normalization()),
            flag(form, "backwards", usual.backwards())));
  }

  /** Returns whether strings compare by their bytes. */
  public boolean simple() {
    return settings.locale().equals("simple");
  }

  /**
   * Returns all settings including defaults; {@code {locale: "simple"}} for the simple collation.
   */
  public Document toDocument() {
    DocumentWriter form = Document.writer().put("locale", settings.locale());
    if (simple()) {
      return form.build();
    }
    return form.put("caseLevel", settings.caseLevel())
        .put("caseFirst", settings.caseFirst())
        .put("strength", settings.strength())
        .put("numericOrdering", settings.numericOrdering())
        .put("alternate", settings.alternate())
        .put("maxVariable", settings.maxVariable())
        .put("normalization", settings.normalization())
        .put("backwards", settings.backwards())
        .put(
            "version",
            VersionInfo.ICU_VERSION.getMajor() + "." + VersionInfo.ICU_VERSION.getMinor())
        .build();
  }

  /** Returns the value with each string in it, at any depth, replaced by its sort key. */
  public Value fold(Value value) {
    return simple() || !holdsText(value) ? value : folded(value);
  }

  /** Returns the order of all values with strings compared by this collation. */
  public Comparator<Value> order() {
    return simple() ? Order.MONGO : Comparator.comparing(this::fold, Order.MONGO);
  }

  /** Returns whether the value is or contains a string, so that folding would change it. */
  public static boolean holdsText(Value value) {
    return switch (value.type()) {
      case STRING, SYMBOL -> true;
      case OBJECT, ARRAY -> {
        Fields members = value.asDocument().fields();
        boolean found = false;
        while (!found && members.next()) {
          found = holdsText(members.value());
        }
        yield found;
      }
      default -> false;
    };
  }

  /** Returns the sign of the comparison of two strings. */
  public int compare(String left, String right) {
    return simple()
        ? Arrays.compareUnsigned(Value.of(left).buffer(), Value.of(right).buffer())
        : collator.compare(left, right);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Collation that && settings.equals(that.settings);
  }

  @Override
  public int hashCode() {
    return settings.hashCode();
  }

  @Override
  public String toString() {
    return toDocument().toString();
  }

  private Value folded(Value value) {
    return switch (value.type()) {
      case STRING, SYMBOL -> sortKey(value.asString());
      case OBJECT -> Value.of(foldedMembers(value));
      case ARRAY -> Value.array(foldedMembers(value));
      default -> value;
    };
  }

  private Document foldedMembers(Value value) {
    DocumentWriter writer = Document.writer();
    Fields members = value.asDocument().fields();
    while (members.next()) {
      writer.put(members.name(), folded(members.value()));
    }
    return writer.build();
  }

  /** Returns a string value whose bytes are a sort key, not UTF-8. */
  private Value sortKey(String text) {
    RawCollationKey key = collator.getRawCollationKey(text, new RawCollationKey());
    // The key ends in a zero byte, which serves as the terminator of the string.
    byte[] bytes =
        ByteBuffer.allocate(4 + key.size)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(key.size)
            .put(key.bytes, 0, key.size)
            .array();
    return Value.view(Type.STRING, bytes, 0);
  }

  private static RuleBasedCollator collator(Settings settings) {
    RuleBasedCollator collator =
        (RuleBasedCollator) Collator.getInstance(locale(settings.locale())).cloneAsThawed();
    collator.setStrength(strength(settings.strength()));
    collator.setCaseLevel(settings.caseLevel());
    switch (settings.caseFirst()) {
      case "upper" -> collator.setUpperCaseFirst(true);
      case "lower" -> collator.setLowerCaseFirst(true);
      case "off" -> collator.setCaseFirstDefault();
      default -> throw bad(settings.caseFirst());
    }
    collator.setNumericCollation(settings.numericOrdering());
    collator.setAlternateHandlingShifted(chosen(settings.alternate(), "shifted", "non-ignorable"));
    collator.setMaxVariable(
        chosen(settings.maxVariable(), "space", "punct")
            ? Collator.ReorderCodes.SPACE
            : Collator.ReorderCodes.PUNCTUATION);
    collator.setDecomposition(
        settings.normalization() ? Collator.CANONICAL_DECOMPOSITION : Collator.NO_DECOMPOSITION);
    collator.setFrenchCollation(settings.backwards());
    return (RuleBasedCollator) collator.freeze();
  }

  private static ULocale locale(String name) {
    ULocale wanted = new ULocale(name);
    for (ULocale known : Collator.getAvailableULocales()) {
      if (known.getBaseName().equals(wanted.getBaseName()) && wanted.getName().equals(name)) {
        return wanted;
      }
    }
    throw bad(name);
  }

  private static int strength(int strength) {
    return switch (strength) {
      case 1 -> Collator.PRIMARY;
      case 2 -> Collator.SECONDARY;
      case 3 -> Collator.TERTIARY;
      case 4 -> Collator.QUATERNARY;
      case 5 -> Collator.IDENTICAL;
      default -> throw bad(String.valueOf(strength));
    };
  }

  /** Returns true for the one word and false for the other; fails for all else. */
  private static boolean chosen(String word, String yes, String no) {
    if (!word.equals(yes) && !word.equals(no)) {
      throw bad(word);
    }
    return word.equals(yes);
  }

  private static String text(Document form, String name, String usual) {
    Value value = form.field(name);
    return value.isMissing() ? usual : checked(value, Type.STRING, name).asString();
  }

  private static boolean flag(Document form, String name, boolean usual) {
    Value value = form.field(name);
    return value.isMissing() ? usual : checked(value, Type.BOOLEAN, name).asBoolean();
  }

  private static int number(Document form, String name, int usual) {
    Value value = form.field(name);
    return value.isMissing() ? usual : checked(value, Type.INT32, name).asInt();
  }

  private static Value checked(Value value, Type type, String name) {
    if (value.type() != type) {
      throw bad(name);
    }
    return value;
  }

  private static QueryException bad(String detail) {
    return new QueryException(Reason.BAD_COLLATION, "not a collation", detail);
  }
}
