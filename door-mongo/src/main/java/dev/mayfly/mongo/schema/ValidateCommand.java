package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CheckReport;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.index.IndexKeys;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * {@code validate}: checks the structure of every live document of a collection, and whether it
 * satisfies the validator. Then compares the stored records, index entries and lane entries with
 * each other. Writes wait during the second part, which {@code background: true} omits.
 */
public final class ValidateCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of(
          "full",
          "scandata",
          "repair",
          "metadata",
          "background",
          "checkBSONConformance",
          "enforceFastCount",
          "fixMultikey");

  private final Namespaces namespaces;

  public ValidateCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    Namespace namespace = request.namespace();
    Found found =
        namespaces.collection(
            namespace, "Collection '" + namespace + "' does not exist to validate.");
    boolean background = request.flag("background", false);
    boolean repair = request.flag("repair", false);
    if (background && (repair || request.flag("full", false))) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Running the validate command with { background: true } and { "
              + (repair ? "repair" : "full")
              + ": true } is not supported");
    }
    Scan scan = new Scan(found);
    scan.run(request);
    scan.write(background ? CheckReport.NONE : found.collection().check(repair), reply);
  }

  /** One scan of a collection. */
  private static final class Scan {
    private final Found found;
    private final Map<String, Long> keys = new TreeMap<>();
    private long records;
    private long invalid;
    private long noncompliant;

    Scan(Found found) {
      this.found = found;
    }

    void run(Request request) {
      Validator validator = found.validator().at(request.now());
      List<IndexSpec> indexes = found.spec().indexes();
      List<IndexKeys> extractors = indexes.stream().map(IndexKeys::new).toList();
      Query all = Query.of(Filter.all(), Mode.MATCH).withoutTouch();
      try (Cursor cursor = found.collection().query(request.operation(), all)) {
        while (cursor.next()) {
          request.check();
          records++;
          Document document = cursor.document();
          if (!wellFormed(document)) {
            invalid++;
            continue;
          }
          noncompliant += validator.passes(document) ? 0 : 1;
          for (int i = 0; i < indexes.size(); i++) {
            String name = indexes.get(i).name();
            extractors.get(i).extract(document, (_, _) -> keys.merge(name, 1L, Long::sum));
          }
        }
      }
    }

    private static boolean wellFormed(Document document) {
      try {
        Document.of(document.bytes(), Limits.MONGO);
        return true;
      } catch (ValueException broken) {
        return false;
      }
    }

    void write(CheckReport findings, DocumentWriter reply) {
      List<IndexForm> indexes = Indexes.of(found.spec());
      boolean sound = findings.wrong() == findings.repaired();
      reply.put("ns", found.collection().namespace().toString());
      reply.put("uuid", Uuids.value(found.collection().uuid()));
      reply.put("nInvalidDocuments", invalid);
      reply.put("nNonCompliantDocuments", noncompliant);
      reply.put("nrecords", records);
      reply.put("nIndexes", indexes.size());
      reply.startDocument("keysPerIndex");
      for (IndexForm index : indexes) {
        reply.put(index.name(), index.isId() ? records : keys.getOrDefault(index.name(), 0L));
      }
      reply.end().startDocument("indexDetails");
      indexes.forEach(index -> reply.startDocument(index.name()).put("valid", sound).end());
      reply.end();
      reply.put("valid", sound && invalid == 0).put("repaired", findings.repaired() > 0);
      reply.startArray("warnings");
      if (noncompliant > 0) {
        reply.add(
            Value.of("documents do not pass the validator of the collection: " + noncompliant));
      }
      reply.end().startArray("errors");
      findings.examples().forEach(example -> reply.add(Value.of(example)));
      reply.end();
      reply.startArray("extraIndexEntries").end();
      reply.startArray("missingIndexEntries").end();
      reply.startArray("corruptRecords").end();
    }
  }
}
