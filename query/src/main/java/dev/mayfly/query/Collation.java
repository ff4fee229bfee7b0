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
 * How texts are compared: byte by byte, or by the rules of a language.
 *
 * <p>A collation {@linkplain #fold folds} values: every text becomes its sort key, whose bytes
 * compare as the collation orders the texts. Comparisons, keys, groups and intervals then work on
 * folded values as they do on plain ones. Folding with {@link #SIMPLE} changes nothing and costs
 * nothing.
 *
 * <p>Immutable; safe for any number of threads. Two collations are equal when they order alike by
 * their settings.
 */
public final class Collation {
  /** Texts compare by their UTF-8 bytes. */
  public static final Collation SIMPLE = new Collation();

  private final Settings settings;
  private final RuleBasedCollator collator;

  /**
   * What a collation is made of, in the words of the Unicode collation algorithm.
   *
   * @param strength how many levels of difference count, 1 to 5
   * @param caseFirst {@code upper}, {@code lower} or {@code off}
   * @param alternate {@code shifted} to ignore what is {@code maxVariable}, else {@code
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
    /** The settings that a collation has unless told otherwise. */
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
   * The collation with these settings.
   *
   * @throws QueryException BAD_COLLATION when a setting has no meaning or the locale is unknown
   */
  public static Collation of(Settings settings) {
    return settings.locale().equals("simple") ? SIMPLE : new Collation(settings);
  }

  /**
   * The collation of a stored form; what is left out is as usual.
   *
   * @throws QueryException BAD_COLLATION when the document is not such a form
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

  /** True when texts compare by their bytes. */
  public boolean simple() {
    return settings.locale().equals("simple");
  }

  /** All settings, those left out too; {@code {locale: "simple"}} when there are none. */
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

  /** The value with each text in it, at any depth, replaced by its sort key. */
  public Value fold(Value value) {
    return simple() || !holdsText(value) ? value : folded(value);
  }

  /** The order of all values with texts compared by this collation. */
  public Comparator<Value> order() {
    return simple() ? Order.MONGO : Comparator.comparing(this::fold, Order.MONGO);
  }

  /** True when the value is a text or holds one, so that folding would change it. */
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

  /** The sign of the comparison of two texts. */
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

  /** A text in form, though its bytes are those of a key and no UTF-8. */
  private Value sortKey(String text) {
    RawCollationKey key = collator.getRawCollationKey(text, new RawCollationKey());
    // The key ends in a zero of its own, which serves as the terminator of the text.
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

  /** True for the one word, false for the other, refused for all else. */
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
