package dev.mayfly.mongo.access;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.mongo.collection.DuplicateKey;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mql.pipeline.PipelineSource;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;

/**
 * Target of {@code $out}: fills a temporary collection and renames it over the target at the end.
 * Dropped by {@link #close} if it was not finished. For one thread.
 */
final class ReplacementCollection implements PipelineSource.Replacement {
  private static final int GROUP = 500;

  private final Operation operation;
  private final Engine engine;
  private final Namespace namespace;
  private final Namespace temporary;
  private final Collection collection;
  private final Durability durability;
  private final Validator validator;
  private final List<Write> group = new ArrayList<>();
  private boolean finished;

  ReplacementCollection(
      Operation operation,
      Engine engine,
      Namespace namespace,
      Durability durability,
      Validator validator) {
    this.operation = operation;
    this.engine = engine;
    this.namespace = namespace;
    this.durability = durability;
    this.validator = validator;
    this.temporary = Names.temporary(namespace, "agg_out");
    CollectionSpec spec = engine.find(namespace).map(Collection::spec).orElse(Namespaces.PLAIN);
    this.collection = engine.create(temporary, spec);
  }

  @Override
  public void add(Document document) {
    validator.checkInsert(document);
    group.add(new Write.Insert(document));
    if (group.size() == GROUP) {
      write();
    }
  }

  private void write() {
    operation.renewIfOld();
    List<WriteOutcome> outcomes =
        collection.write(operation, group, Grouping.ORDERED, durability, null).outcomes();
    group.clear();
    for (WriteOutcome outcome : outcomes) {
      if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
        throw DuplicateKey.translate(failure, namespace, collection.spec());
      }
    }
  }

  @Override
  public void finish() {
    if (!group.isEmpty()) {
      write();
    }
    engine.rename(temporary, namespace, true);
    finished = true;
  }

  @Override
  public void close() {
    if (!finished) {
      finished = true;
      engine.drop(temporary);
    }
  }
}
