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
 * One step of a pipeline: what becomes of the documents that come in.
 *
 * <p>A closed set; immutable. Expressions in a stage are evaluated with the document at hand as the
 * root of the scope.
 */
public sealed interface Stage {
  /** Turns one document into another, with no regard to those before and after it. */
  @FunctionalInterface
  interface Step {
    Document apply(Document document, Scope scope);
  }

  /** Only the documents that pass. */
  record Match(Filter filter) implements Stage {}

  /**
   * Each document in another shape.
   *
   * @param preservedFields the fields that have the same values before and after
   */
  record Reshape(Step step, PreservedFields preservedFields) implements Stage {}

  /** What the documents of a group have in common, and what is gathered from them. */
  record Group(Expression key, List<GroupField> gatherings) implements Stage {
    public Group {
      gatherings = List.copyOf(gatherings);
    }

    /** The fields of documents that key and gatherings are computed from. */
    RootFields reads() {
      return gatherings.stream().map(GroupField::reads).reduce(key.reads(), RootFields::and);
    }

    /** True when what is gathered does not depend on the order of the documents. */
    boolean keepsNothing() {
      return gatherings.stream().noneMatch(one -> one.kind().keeps());
    }

    /** True when all documents are one group and only their number is asked for. */
    boolean onlyCounts() {
      return key.constant()
          && gatherings.stream().allMatch(one -> one.kind() == GroupField.Kind.COUNTS);
    }
  }

  /** The documents in order; only the first so many of them. */
  record Order(List<Sort> keys, long limit) implements Stage {
    public Order {
      keys = List.copyOf(keys);
    }
  }

  /** At most so many. */
  record Limit(long count) implements Stage {}

  /** Not the first so many. */
  record Skip(long count) implements Stage {}

  /** One document with the number of those that came in; none when none came. */
  record Count(String field) implements Stage {}

  /**
   * A document for each element of the array at the path.
   *
   * @param index where to put the place of the element, if anywhere
   * @param keepsEmpty whether a document without elements stays as one
   */
  record Unwind(FieldPath path, Optional<FieldPath> index, boolean keepsEmpty) implements Stage {}

  /**
   * Each document together with those of another collection that belong to it.
   *
   * @param join the fields that have to be equal, if the pipeline alone does not say
   * @param variables what the pipeline may refer to, computed from the document
   */
  record Lookup(
      Target from, Optional<Join> join, List<Binding> variables, Pipeline pipeline, FieldPath as)
      implements Stage {
    public Lookup {
      variables = List.copyOf(variables);
    }
  }

  /** A random choice of so many. */
  record Sample(long size) implements Stage {}

  /** One document with the results of several pipelines over the same documents. */
  record Facet(List<Branch> branches) implements Stage {
    public Facet {
      branches = List.copyOf(branches);
    }
  }

  /** The documents, followed by those of another collection. */
  record Union(Target from, Pipeline pipeline) implements Stage {}

  /** As many groups of neighbouring values, of about the same size. */
  record Buckets(
      Expression key, int count, List<GroupField> gatherings, Optional<Granularity> granularity)
      implements Stage {
    public Buckets {
      gatherings = List.copyOf(gatherings);
    }

    /** The fields of documents that key and gatherings are computed from. */
    RootFields reads() {
      return gatherings.stream().map(GroupField::reads).reduce(key.reads(), RootFields::and);
    }
  }

  /** Each document with all that can be reached from it by following references. */
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
    /** A depth that is never reached. */
    public static final long ANY_DEPTH = Long.MAX_VALUE;
  }

  /**
   * Documents without the parts that a decision takes away.
   *
   * @param slot where the decision finds the object that it is about
   */
  record Redact(Expression decision, int slot) implements Stage {
    /** The decision that the object stays as it is. */
    public static final Value KEEP = Value.of("keep");

    /** The decision that nothing of the object stays. */
    public static final Value PRUNE = Value.of("prune");

    /** The decision that its values stay, and that each object in it is decided about. */
    public static final Value DESCEND = Value.of("descend");
  }

  /** Documents that the pipeline brings along: an expression for an array of them. */
  record Documents(Expression array) implements Stage {}

  /** What a server can tell, in a form that the stage of this name asks for. */
  record Source(String name, Document specification) implements Stage {}

  /** Fields computed from the neighbours of each document. */
  record Window(Expression partition, List<Sort> order, List<Output> outputs) implements Stage {
    public Window {
      order = List.copyOf(order);
      outputs = List.copyOf(outputs);
    }
  }

  /**
   * Documents for the values that a field does not have; they come in the order of that field.
   *
   * @param partition the fields whose values tell the series apart in which values are missing
   */
  record Densify(FieldPath field, List<FieldPath> partition, Stride stride, Extent extent)
      implements Stage {
    public Densify {
      partition = List.copyOf(partition);
    }
  }

  /** All documents in place of those of a collection. */
  record Out(Target into) implements Stage {}

  /** Each document into a collection, together with what is there. */
  record Merge(Target into, List<FieldPath> on, WhenMatched matched, WhenNotMatched notMatched)
      implements Stage {
    public Merge {
      on = List.copyOf(on);
    }
  }

  /** Fields of two documents that have to be equal for them to belong together. */
  record Join(FieldPath local, FieldPath foreign) {}

  /** The slot of a variable, and what it is to hold. */
  record Binding(int slot, Expression value) {}

  /** A field, and what is computed for it. */
  record Output(FieldPath path, WindowFunction function) {}

  /** One of several pipelines, and the field for its results. */
  record Branch(String name, Pipeline pipeline) {}

  /** From where to where values are to be dense. */
  sealed interface Extent {
    /** From the least to the greatest of all series, in each. */
    record Full() implements Extent {}

    /** From the least to the greatest of each series. */
    record Series() implements Extent {}

    /** From one value up to, but without, another. */
    record Between(Value low, Value high) implements Extent {}
  }

  /** What becomes of a document for which there is one already. */
  sealed interface WhenMatched {
    /** The new one takes the place of the old. */
    record Replace() implements WhenMatched {}

    /** The old one stays. */
    record Keep() implements WhenMatched {}

    /** The old one with the fields of the new. */
    record Combine() implements WhenMatched {}

    /** It is an error. */
    record Fail() implements WhenMatched {}

    /** The old one changed; variables are computed from the new one. */
    record Change(List<Binding> variables, List<Step> steps) implements WhenMatched {
      public Change {
        variables = List.copyOf(variables);
        steps = List.copyOf(steps);
      }
    }
  }

  /** What becomes of a document for which there is none yet. */
  enum WhenNotMatched {
    INSERT,
    DISCARD,
    FAIL
  }
}
