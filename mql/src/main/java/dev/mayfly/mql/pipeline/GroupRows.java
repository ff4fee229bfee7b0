package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.accumulator.Accumulator;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.query.ValueMemory;
import dev.mayfly.query.sort.Sorter;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of {@code $group}: one document for each distinct key.
 *
 * <p>A hash table finds groups by the bytes of their key, in which equal numbers are the same; the
 * result has the key seen first. When memory is full, existing groups continue to accumulate and
 * documents of new groups are spilled; when existing groups still grow, all documents are spilled.
 * Spilled documents are sorted by key, then accumulated group by group, in the order of the input.
 */
final class GroupRows implements Rows {
  private static final int EXCEEDED_MEMORY = 292;
  private static final int GROUP_BYTES = 96;
  private static final Accumulator[] NOTHING = {};

  private final Rows input;
  private final Stage.Group stage;
  private final Execution execution;
  private final Scope scope;
  private final QueryMemory.Holding memory;
  private final KeyWriter key = new KeyWriter();
  private final KeyTable table = new KeyTable();
  private final List<Value> keys = new ArrayList<>();
  private final List<Accumulator[]> groups = new ArrayList<>();
  private final BitSet given = new BitSet();
  private final DocumentWriter writer = Intermediate.writer();
  private long kept;

  /** Bytes that groups may still grow by after no new ones are created. */
  private long room;

  private boolean filled;
  private @Nullable Sorter aside;
  private boolean asideLeft;
  private int at;
  private Document current = Document.EMPTY;

  GroupRows(Rows input, Stage.Group stage, Execution execution) {
    this.input = input;
    this.stage = stage;
    this.execution = execution;
    this.scope = execution.scope();
    this.memory = execution.workspace().holding();
  }

  @Override
  public boolean next() {
    if (!filled) {
      fill();
    }
    return nextAside() || nextKept();
  }

  private void fill() {
    filled = true;
    while (input.next()) {
      add(input.current());
    }
    input.close();
    Sorter sorter = aside;
    if (sorter != null) {
      sorter.finish();
      asideLeft = sorter.next();
    }
  }

  private void add(Document document) {
    Value value = stage.key().evaluate(scope.root(document));
    writeKey(value);
    if (aside != null && (isCrowded() || table.find(key.buffer(), key.length()) < 0)) {
      aside.add(key.bytes(), document);
      return;
    }
    kept += gather(group(value), document);
    if (aside == null && !memory.hold(kept + table.bytesKept())) {
      room = (kept + table.bytesKept()) / 4 * 5;
      aside = setAside();
    }
  }

  /** Returns whether the groups have exceeded even the reserve for existing groups. */
  private boolean isCrowded() {
    return kept + table.bytesKept() > room;
  }

  private void writeKey(Value value) {
    Value found = value.isMissing() ? Value.NULL : value;
    key.clear().append(execution.fold(found), Order.MONGO);
  }

  private Accumulator[] group(Value value) {
    int number = table.place(key.buffer(), key.length());
    if (number < groups.size()) {
      return groups.get(number);
    }
    Accumulator[] accumulators = GroupField.startAll(stage.gatherings(), value, scope);
    groups.add(accumulators);
    keys.add(GroupField.compact(value));
    kept +=
        GROUP_BYTES + value.length() + (long) accumulators.length * GroupField.ACCUMULATOR_BYTES;
    return accumulators;
  }

  private long gather(Accumulator[] accumulators, Document document) {
    return GroupField.addAll(stage.gatherings(), accumulators, scope.root(document));
  }

  private Sorter setAside() {
    Workspace workspace = execution.workspace();
    if (!workspace.spills()) {
      throw new QueryException(
          Reason.LIMIT_EXCEEDED,
          EXCEEDED_MEMORY,
          "Exceeded memory limit for $group, but didn't allow external sort."
              + " Pass allowDiskUse:true to opt in.");
    }
    return new Sorter(workspace.part(4), Long.MAX_VALUE);
  }

  /** Returns the next group with spilled documents. */
  private boolean nextAside() {
    Sorter sorter = aside;
    if (sorter == null || !asideLeft) {
      return false;
    }
    byte[] together = sorter.key();
    Value value = stage.key().evaluate(scope.root(sorter.document()));
    int number = table.find(together, together.length);
    Accumulator[] accumulators =
        number < 0 ? GroupField.startAll(stage.gatherings(), value, scope) : taken(number);
    long gathered = 0;
    do {
      gathered += gather(accumulators, sorter.document());
      if (gathered > Workspace.DEFAULT_BYTES) {
        throw ValueMemory.exceeded();
      }
      asideLeft = sorter.next();
    } while (asideLeft && Arrays.equals(together, sorter.key()));
    give(number < 0 ? value : keys.get(number), accumulators);
    return true;
  }

  /** Returns the next group that was complete in memory. */
  private boolean nextKept() {
    at = given.nextClearBit(at);
    if (at >= groups.size()) {
      return false;
    }
    give(keys.get(at), taken(at));
    return true;
  }

  /** Removes and returns the accumulators of a group. */
  private Accumulator[] taken(int number) {
    given.set(number);
    return groups.set(number, NOTHING);
  }

  private void give(Value value, Accumulator[] accumulators) {
    writer.clear().put("_id", value.isMissing() ? Value.NULL : value);
    GroupField.write(stage.gatherings(), accumulators, writer);
    current = writer.build();
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    input.close();
    Sorter sorter = aside;
    if (sorter != null) {
      sorter.close();
    }
    groups.clear();
    memory.close();
    asideLeft = false;
  }
}
