package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.mongo.access.VisibleCollections;
import dev.mayfly.mongo.collection.Collations;
import dev.mayfly.mongo.collection.Description;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.collection.Options;
import dev.mayfly.mongo.collection.SlidingOption;
import dev.mayfly.mongo.collection.TtlFormat;
import dev.mayfly.mongo.collection.Validation;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.collection.View;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code create}: creates a collection or a view. */
public final class CreateCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of(
          "capped",
          "size",
          "max",
          "autoIndexId",
          "idIndex",
          "storageEngine",
          "indexOptionDefaults",
          "flags",
          "temp",
          "timeseries",
          "validator",
          "validationLevel",
          "validationAction",
          "viewOn",
          "pipeline",
          "collation",
          "clusteredIndex",
          "expireAfterSeconds",
          "changeStreamPreAndPostImages",
          "recordIdsReplicated",
          Grace.FIELD,
          Limit.FIELD,
          ExpiryAction.FIELD,
          Following.FIELD,
          TtlFormat.FIELD,
          SlidingOption.FIELD);
  private static final List<String> NOT_ON_VIEWS =
      List.of(
          "capped",
          "size",
          "max",
          "validator",
          "validationLevel",
          "validationAction",
          "clusteredIndex",
          "expireAfterSeconds",
          TtlFormat.FIELD,
          SlidingOption.FIELD,
          Limit.FIELD,
          ExpiryAction.FIELD,
          Following.FIELD,
          "changeStreamPreAndPostImages",
          "idIndex");

  private final VisibleCollections collections;

  public CreateCommand(VisibleCollections collections) {
    this.collections = collections;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    Namespace namespace = request.namespace();
    CollectionSpec spec = spec(request, namespace);
    Optional<Found> existing = collections.find(request, namespace);
    if (existing.isPresent() && collections.transaction(request).isPresent()) {
      throw new CommandException(
          ErrorCode.NAMESPACE_EXISTS, "Collection " + namespace + " already exists.");
    }
    if (existing.isPresent()) {
      checkSame(existing.get(), spec);
    } else {
      collections.create(request, namespace, spec);
    }
  }

  /** As in MongoDB, creating a collection that exists with the same options succeeds. */
  private static void checkSame(Found existing, CollectionSpec spec) {
    Document existingOptions = Description.of(existing.spec());
    if (existingOptions.equals(Description.of(spec))) {
      return;
    }
    throw new CommandException(
        ErrorCode.NAMESPACE_EXISTS,
        "namespace "
            + existing.collection().namespace()
            + " already exists, but with different options: "
            + ShellText.of(existingOptions));
  }

  private CollectionSpec spec(Request request, Namespace namespace) {
    if (request.has("timeseries")) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "time-series collections are not supported by this server");
    }
    Section section = new Section(request.name(), request.body());
    Options options =
        Options.NONE
            .withView(view(request, namespace))
            .withValidation(Validator.checked(namespace, Validation.NONE.changedBy(section)))
            .withCollation(collation(request))
            .withClustered(Clustered.of(request))
            .withStorage(request.has("viewOn") ? Document.EMPTY : storage(request))
            .withImages(PreAndPostImages.of(section));
    CollectionSpec spec = Namespaces.PLAIN.withOptions(options.toDocument());
    CollectionSpec limited =
        Limit.withLimit(
            section,
            Grace.withGrace(
                section, withCap(request, withExpiry(request, section, spec, options))));
    return PreAndPostImages.withImages(
        Following.withParentIndex(
            Following.withParents(section, ExpiryAction.withAction(section, limited))),
        options.images());
  }

  private View view(Request request, Namespace namespace) {
    String on = request.text("viewOn", "");
    if (on.isEmpty()) {
      if (request.has("viewOn")) {
        throw invalid("'viewOn' cannot be empty");
      }
      if (request.has("pipeline")) {
        throw invalid("'pipeline' requires 'viewOn' to also be specified");
      }
      return View.NONE;
    }
    if (collections.transaction(request).isPresent()) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Cannot create a view in a multi-document transaction.");
    }
    for (String field : NOT_ON_VIEWS) {
      if (request.has(field)) {
        throw invalid("option not supported on a view: " + field);
      }
    }
    List<Document> stages =
        request.has("pipeline") ? request.documents("pipeline") : List.<Document>of();
    View view = new View(on, Value.array(stages.stream().map(Value::of).toList()));
    collections.namespaces().views().check(namespace, view, collation(request), request.now());
    return view;
  }

  private static Document collation(Request request) {
    return request.has("collation")
        ? Collations.complete(request.document("collation"))
        : Document.EMPTY;
  }

  /** Returns the options of the storage engine; empty if the request has none. */
  private static Document storage(Request request) {
    DocumentWriter storage = Document.writer();
    Document engine = request.document("storageEngine");
    if (!engine.isEmpty()) {
      storage.put("storageEngine", engine);
    }
    Document defaults = request.document("indexOptionDefaults");
    Section ofIndexes =
        new Section("create.indexOptionDefaults", defaults).allow(Set.of("storageEngine"));
    if (ofIndexes.has("storageEngine")) {
      storage
          .startDocument("indexOptionDefaults")
          .put("storageEngine", ofIndexes.document("storageEngine"))
          .end();
    }
    return storage.build();
  }

  private static CollectionSpec withExpiry(
      Request request, Section section, CollectionSpec spec, Options options) {
    TimeFormat format =
        section.has(TtlFormat.FIELD)
            ? TtlFormat.of(section.text(TtlFormat.FIELD))
            : TimeFormat.DATE;
    Optional<Sliding> sliding = SlidingOption.of(section.field(SlidingOption.FIELD));
    if (!section.has("expireAfterSeconds")) {
      if (sliding.isPresent()) {
        throw invalid("'mayflySliding' needs 'expireAfterSeconds'");
      }
      if (section.has(TtlFormat.FIELD)) {
        throw invalid("'mayflyTtlFormat' needs 'expireAfterSeconds'");
      }
      return spec;
    }
    long seconds = section.number("expireAfterSeconds");
    if (options.clustered().isEmpty() && !section.has(TtlFormat.FIELD)) {
      throw invalid(
          "'expireAfterSeconds' is only supported on time-series collections or when the"
              + " 'clusteredIndex' option is specified");
    }
    long checked = Expiry.ofId(seconds, request.now());
    if (sliding.isPresent() && checked == 0) {
      throw invalid("'mayflySliding' needs an 'expireAfterSeconds' of at least 1");
    }
    return spec.withTimeToLive(
        spec.timeToLive()
            .withId(checked)
            .withIdFormat(format)
            .withSliding(TimeToLive.ID_RULE, sliding));
  }

  /** The same errors as MongoDB without {@code enableTestCommands}. */
  private static void checkNotCapped(Request request) {
    for (String field : List.of("size", "max")) {
      if (request.has(field)) {
        throw new CommandException(
            ErrorCode.location(field.equals("size") ? 6049200 : 6049204),
            "'"
                + field
                + "' field for capped collections is not allowed on clustered collections. Did you"
                + " mean 'capped: true' with 'expireAfterSeconds'?");
      }
    }
    if (request.flag("capped", false)) {
      throw new CommandException(
          ErrorCode.location(6127800),
          "Clustered capped collection only available with 'enableTestCommands' server parameter");
    }
  }

  private static CollectionSpec withCap(Request request, CollectionSpec spec) {
    if (Clustered.isRequested(request)) {
      checkNotCapped(request);
    }
    if (!request.flag("capped", false)) {
      if (request.has("size") || request.has("max")) {
        throw invalid(
            "the 'capped' field needs to be true when either the 'size' or 'max' fields are"
                + " present");
      }
      return spec;
    }
    if (!request.has("size")) {
      throw invalid("the 'size' field is required when 'capped' is true");
    }
    return spec.withCap(
        Cap.bytes(request.number("size", 0), "create.size"),
        Cap.documents(request.number("max", 0)));
  }

  private static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_OPTIONS, message);
  }
}
