package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.Filter;
import dev.mayfly.query.RootFields;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/**
 * One stage of a pipeline.
 *
 * <p>A closed set; immutable. Expressions in a stage are evaluated with the current document as the
 * root of the scope.
 */
public sealed interface Stage {
  /** Transforms one document, independently of all others. */
  @FunctionalInterface
  interface Step {
    Document apply(Document document, Scope scope);
  }

  /** {@code $match}: only the documents that match. */
  record Match(Filter filter) implements Stage {}

  /**
   * {@code $project}, {@code $addFields} and others: each document in another shape.
   *
   * @param preservedFields the fields that have the same values before and after
   */
  record Reshape(Step step, PreservedFields preservedFields) implements Stage {}

  /** {@code $group}: one document per key, with accumulated fields. */
  record Group(Expression key, List<GroupField> gatherings) implements Stage {
    public Group {
      gatherings = List.copyOf(gatherings);
    }

    /** Returns the fields of documents that the key and the accumulators read. */
    RootFields reads() {
      return gatherings.stream().map(GroupField::reads).reduce(key.reads(), RootFields::and);
    }

    /** Returns whether the result does not depend on the order of the documents. */
    boolean keepsNothing() {
      return gatherings.stream().noneMatch(one -> one.kind().keeps());
    }

    /** Returns whether all documents are one group and only their number is needed. */
    boolean onlyCounts() {
      return key.constant()
          && gatherings.stream().allMatch(one -> one.kind() == GroupField.Kind.COUNTS);
    }
  }

  /** {@code $sort}, with the limit that follows it. */
  record Order(List<Sort> keys, long limit) implements Stage {
    public Order {
      keys = List.copyOf(keys);
    }
  }

  /** {@code $limit}: at most {@code count} documents. */
  record Limit(long count) implements Stage {}

  /** {@code $skip}: all but the first {@code count} documents. */
  record Skip(long count) implements Stage {}

  /** {@code $count}: one document with the number of documents; none if the number is 0. */
  record Count(String field) implements Stage {}

  /**
   * {@code $unwind}: a document for each element of the array at the path.
   *
   * @param index the field for the index of the element, if any
   * @param keepsEmpty whether a document without elements is kept
   */
  record Unwind(FieldPath path, Optional<FieldPath> index, boolean keepsEmpty) implements Stage {}

  /**
   * {@code $lookup}: each document with the matching documents of another collection.
   *
   * @param join the fields that must be equal; empty if the pipeline alone decides
   * @param variables the variables of the pipeline, computed from the document
   */
  record Lookup(
      Target from, Optional<Join> join, List<Binding> variables, Pipeline pipeline, FieldPath as)
      implements Stage {
    public Lookup {
      variables = List.copyOf(variables);
    }
  }

  /** {@code $sample}: a random selection of {@code size} documents. */
  record Sample(long size) implements Stage {}

  /** {@code $facet}: one document with the results of several pipelines over the same documents. */
  record Facet(List<Branch> branches) implements Stage {
    public Facet {
      branches = List.copyOf(branches);
    }
  }

  /** {@code $unionWith}: the documents, followed by those of another collection. */
  record Union(Target from, Pipeline pipeline) implements Stage {}

  /** {@code $bucketAuto}: a number of buckets of about the same size. */
  record Buckets(
      Expression key, int count, List<GroupField> gatherings, Optional<Granularity> granularity)
      implements Stage {
    public Buckets {
      gatherings = List.copyOf(gatherings);
    }

    /** Returns the fields of documents that the key and the accumulators read. */
    RootFields reads() {
      return gatherings.stream().map(GroupField::reads).reduce(key.reads(), RootFields::and);
    }
  }

  /** {@code $graphLookup}: each document with all documents reachable from it. */
  record Graph(
      Target from,
      Expression start,
      FieldPath fromField,
      FieldPath toField,
      FieldPath as,
      long maxDepth,
      Optional<FieldPath> depth,
      Filter restriction)
      implements Stage {
    /** No limit of the depth. */
    public static final long ANY_DEPTH = Long.MAX_VALUE;
  }

  /**
   * {@code $redact}: documents without the parts that an expression prunes.
   *
   * @param slot the variable with the object to decide about
   */
  record Redact(Expression decision, int slot) implements Stage {
    /** Keeps the object unchanged. */
    public static final Value KEEP = Value.of("keep");

    /** Removes the object. */
    public static final Value PRUNE = Value.of("prune");

    /** Keeps the values of the object and decides about each embedded object. */
    public static final Value DESCEND = Value.of("descend");
  }

  /** {@code $documents}: documents from an expression that returns an array. */
  record Documents(Expression array) implements Stage {}

  /** A stage that reads from the server, such as {@code $collStats}. */
  record Source(String name, Document specification) implements Stage {}

  /** {@code $setWindowFields}: fields computed from neighbouring documents. */
  record Window(Expression partition, List<Sort> order, List<Output> outputs) implements Stage {
    public Window {
      order = List.copyOf(order);
      outputs = List.copyOf(outputs);
    }
  }

  /**
   * {@code $densify}: documents for missing values of a field, sorted by that field.
   *
   * @param partition the fields that identify a series
   */
  record Densify(FieldPath field, List<FieldPath> partition, Stride stride, Extent extent)
      implements Stage {
    public Densify {
      partition = List.copyOf(partition);
    }
  }

  /** {@code $out}: replaces the documents of a collection. */
  record Out(Target into) implements Stage {}

  /** {@code $merge}: merges each document into a collection. */
  record Merge(Target into, List<FieldPath> on, WhenMatched matched, WhenNotMatched notMatched)
      implements Stage {
    public Merge {
      on = List.copyOf(on);
    }
  }

  /** Fields of two documents that must be equal in a join. */
  record Join(FieldPath local, FieldPath foreign) {}

  /** The slot of a variable, and its value. */
  record Binding(int slot, Expression value) {}

  /** An output field, and its window function. */
  record Output(FieldPath path, WindowFunction function) {}

  /** One pipeline of {@code $facet}, and the field for its results. */
  record Branch(String name, Pipeline pipeline) {}

  /** Bounds of {@code $densify}. */
  sealed interface Extent {
    /** {@code full}: from the least to the greatest value of all series, in each. */
    record Full() implements Extent {}

    /** {@code partition}: from the least to the greatest value of each series. */
    record Series() implements Extent {}

    /** From one value, inclusive, to another, exclusive. */
    record Between(Value low, Value high) implements Extent {}
  }

  /** {@code whenMatched}: what happens if a matching document exists. */
  sealed interface WhenMatched {
    /** The new document replaces the existing one. */
    record Replace() implements WhenMatched {}

    /** The existing document stays. */
    record Keep() implements WhenMatched {}

    /** The existing document receives the fields of the new one. */
    record Combine() implements WhenMatched {}

    /** The stage fails. */
    record Fail() implements WhenMatched {}

    /** A pipeline updates the existing document; variables are computed from the new one. */
    record Change(List<Binding> variables, List<Step> steps) implements WhenMatched {
      public Change {
        variables = List.copyOf(variables);
        steps = List.copyOf(steps);
      }
    }
  }

  /** {@code whenNotMatched}: what happens if no matching document exists. */
  enum WhenNotMatched {
    INSERT,
    DISCARD,
    FAIL
  }
}
