package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.collection.Options;
import dev.mayfly.mongo.collection.SlidingOption;
import dev.mayfly.mongo.collection.TtlFormat;
import dev.mayfly.mongo.collection.Validation;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.collection.View;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Change by {@code collMod}, checked against the current collection.
 *
 * @param index the change of an index, or none
 * @param change the change of the spec, with that of the index
 * @param expires whether the change can expire documents
 */
record Modification(
    List<IndexModification> index, UnaryOperator<CollectionSpec> change, boolean expires) {
  private static final String MIXED_SCHEMA = "timeseriesBucketsMayHaveMixedSchemaData";

  /** The fields of {@code collMod} that change something. */
  static final Set<String> FIELDS =
      Set.of(
          "index",
          "validator",
          "validationLevel",
          "validationAction",
          "viewOn",
          "pipeline",
          "expireAfterSeconds",
          "cappedSize",
          "cappedMax",
          "timeseries",
          MIXED_SCHEMA,
          "changeStreamPreAndPostImages",
          Grace.FIELD,
          Limit.FIELD,
          ExpiryAction.FIELD,
          Following.FIELD,
          TtlFormat.FIELD,
          SlidingOption.FIELD);

  private static final String EXPIRES = "expireAfterSeconds";

  Modification {
    index = List.copyOf(index);
  }

  static Modification of(Namespaces namespaces, Found found, Section section, long now) {
    Namespace namespace = found.collection().namespace();
    if (found.isView()) {
      return new Modification(List.of(), ofView(namespaces, found, section, now), false);
    }
    for (String field : List.of("viewOn", "pipeline")) {
      if (section.has(field)) {
        throw invalid("option only supported on a view: " + field);
      }
    }
    for (String field : List.of("timeseries", MIXED_SCHEMA)) {
      if (section.has(field)) {
        throw invalid("option only supported on a time-series collection: " + field);
      }
    }
    Optional<IndexModification> index =
        section.has("index")
            ? Optional.of(
                IndexModification.of(
                    new Section(section.path() + ".index", section.document("index")),
                    namespace,
                    found.spec()))
            : Optional.empty();
    UnaryOperator<CollectionSpec> ofIndex =
        index
            .<UnaryOperator<CollectionSpec>>map(one -> one::applyTo)
            .orElse(UnaryOperator.identity());
    UnaryOperator<CollectionSpec> ofId = ofId(found, section, now);
    UnaryOperator<CollectionSpec> ofOptions = ofOptions(found, section);
    UnaryOperator<CollectionSpec> ofCap = ofCap(found, section);
    return new Modification(
        index.stream().toList(),
        spec -> ofCap.apply(ofOptions.apply(ofId.apply(ofIndex.apply(spec)))),
        section.has(EXPIRES)
            || section.has(TtlFormat.FIELD)
            || section.has(SlidingOption.FIELD)
            || index.filter(IndexModification::expires).isPresent());
  }

  private static UnaryOperator<CollectionSpec> ofView(
      Namespaces namespaces, Found found, Section section, long now) {
    Fields fields = section.fields().fields();
    while (fields.next()) {
      boolean change = FIELDS.contains(fields.name());
      if (change && !fields.named("viewOn") && !fields.named("pipeline")) {
        throw invalid("option not supported on a view: " + fields.name());
      }
    }
    if (section.has("viewOn") != section.has("pipeline")) {
      throw invalid("Must specify both 'viewOn' and 'pipeline' when modifying a view");
    }
    if (!section.has("viewOn")) {
      return UnaryOperator.identity();
    }
    Value pipeline = section.field("pipeline");
    if (!pipeline.isArray()) {
      throw section.wrongType("pipeline", "type 'array'");
    }
    View view = new View(section.text("viewOn"), pipeline);
    namespaces
        .views()
        .check(found.collection().namespace(), view, found.options().collation(), now);
    return spec -> with(spec, options -> options.withView(view));
  }

  /**
   * Returns the change of the rule on ids: the TTL of a clustered collection or, with {@code
   * mayflyTtlFormat}, of any collection.
   */
  private static UnaryOperator<CollectionSpec> ofId(Found found, Section section, long now) {
    UnaryOperator<CollectionSpec> ofSliding = ofIdSliding(found, section);
    UnaryOperator<CollectionSpec> ofTimes = ofIdFormat(found, section);
    UnaryOperator<CollectionSpec> ofFormat = spec -> ofSliding.apply(ofTimes.apply(spec));
    if (!section.has(EXPIRES)) {
      return ofFormat;
    }
    Value value = section.field(EXPIRES);
    if (value.type() != Type.STRING && !value.isNumber()) {
      throw section.wrongType(EXPIRES, "types '[long, int, decimal, double, string']");
    }
    boolean hasRule = found.spec().timeToLive().idSeconds() != TimeToLive.OFF;
    if (found.options().clustered().isEmpty() && !hasRule && !section.has(TtlFormat.FIELD)) {
      throw invalid(
          "'expireAfterSeconds' option is only supported on collections clustered by _id");
    }
    if (value.type() == Type.STRING && !value.asString().equals("off")) {
      throw invalid(
          "Invalid string value for the 'clusteredIndex::expireAfterSeconds' option. Got: '"
              + value.asString()
              + "'. Accepted value is 'off'");
    }
    long seconds =
        value.type() == Type.STRING ? TimeToLive.OFF : Expiry.ofId(section.number(EXPIRES), now);
    boolean slides =
        section.has(SlidingOption.FIELD)
            ? SlidingOption.of(section.field(SlidingOption.FIELD)).isPresent()
            : found.spec().timeToLive().slides(TimeToLive.ID_RULE);
    if (seconds == 0 && slides) {
      throw invalid("'mayflySliding' needs an 'expireAfterSeconds' of at least 1");
    }
    return spec ->
        ofFormat.apply(
            spec.withTimeToLive(
                spec.timeToLive()
                    .withSliding(
                        TimeToLive.ID_RULE,
                        seconds == 0
                            ? Optional.empty()
                            : spec.timeToLive().slidingOf(TimeToLive.ID_RULE))
                    .withId(seconds)));
  }

  private static UnaryOperator<CollectionSpec> ofIdSliding(Found found, Section section) {
    if (!section.has(SlidingOption.FIELD)) {
      return UnaryOperator.identity();
    }
    Optional<Sliding> sliding = SlidingOption.of(section.field(SlidingOption.FIELD));
    long life = found.spec().timeToLive().idSeconds();
    if (!section.has(EXPIRES) && life == TimeToLive.OFF) {
      throw invalid("'mayflySliding' needs 'expireAfterSeconds'");
    }
    if (!section.has(EXPIRES) && life == 0 && sliding.isPresent()) {
      throw invalid("'mayflySliding' needs an 'expireAfterSeconds' of at least 1");
    }
    return spec -> spec.withTimeToLive(spec.timeToLive().withSliding(TimeToLive.ID_RULE, sliding));
  }

  private static UnaryOperator<CollectionSpec> ofIdFormat(Found found, Section section) {
    if (!section.has(TtlFormat.FIELD)) {
      return UnaryOperator.identity();
    }
    TimeFormat format = TtlFormat.of(section.text(TtlFormat.FIELD));
    if (!section.has(EXPIRES) && found.spec().timeToLive().idSeconds() == TimeToLive.OFF) {
      throw invalid("'mayflyTtlFormat' needs 'expireAfterSeconds'");
    }
    return spec -> spec.withTimeToLive(spec.timeToLive().withIdFormat(format));
  }

  private static UnaryOperator<CollectionSpec> ofOptions(Found found, Section section) {
    Validation validation = validation(found, section);
    if (!section.has(PreAndPostImages.FIELD)) {
      return spec -> with(spec, options -> options.withValidation(validation));
    }
    boolean images = PreAndPostImages.of(section);
    return spec ->
        PreAndPostImages.withImages(
            with(spec, options -> options.withValidation(validation).withImages(images)), images);
  }

  private static Validation validation(Found found, Section section) {
    Validation validation = found.options().validation().changedBy(section);
    if (section.has("validator")) {
      // as in MongoDB, level and action are listed from now on
      validation = new Validation(validation.validator(), validation.level(), validation.action());
    }
    // an invalid validator fails here, not at the first write
    return Validator.checked(found.collection().namespace(), validation);
  }

  private static UnaryOperator<CollectionSpec> ofCap(Found found, Section section) {
    // an invalid limit or action fails here, not while the collection is changed
    Limit.withLimit(section, found.spec());
    ExpiryAction.withAction(section, found.spec());
    Following.withParents(section, found.spec());
    UnaryOperator<CollectionSpec> ofOldest = ofCappedSize(found, section);
    return spec ->
        Following.withParents(
            section,
            ExpiryAction.withAction(section, Limit.withLimit(section, ofOldest.apply(spec))));
  }

  private static UnaryOperator<CollectionSpec> ofCappedSize(Found found, Section section) {
    if (!section.has("cappedSize") && !section.has("cappedMax")) {
      return spec -> Grace.withGrace(section, spec);
    }
    if (!found.spec().capped()) {
      throw invalid("Collection must be capped.");
    }
    return spec ->
        Grace.withGrace(section, spec)
            .withCap(
                section.has("cappedSize")
                    ? Cap.bytes(section.number("cappedSize"), "collMod.cappedSize")
                    : spec.cap().bytes(),
                section.has("cappedMax")
                    ? Cap.documents(section.number("cappedMax"))
                    : spec.cap().documents());
  }

  private static CollectionSpec with(CollectionSpec spec, UnaryOperator<Options> change) {
    return spec.withOptions(change.apply(Options.of(spec)).toDocument());
  }

  private static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_OPTIONS, message);
  }
}
