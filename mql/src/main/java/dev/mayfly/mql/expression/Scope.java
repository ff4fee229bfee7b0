package dev.mayfly.mql.expression;

import dev.mayfly.query.StepCounter;
import dev.mayfly.query.ValueMemory;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Arrays;

/**
 * Evaluation scope: the current document, and variables by slot.
 *
 * <p>Mutable, one per evaluating thread, reused for many documents. A variable that was not set is
 * missing.
 */
public final class Scope {
  /** Maximum memory of the values that an evaluation keeps, as in MongoDB. */
  private static final long MOST_BYTES = 100L << 20;

  private final Value[] slots;
  private Value root = Value.MISSING;
  private Document metadata = Document.EMPTY;
  private boolean keepsMetadata;
  private long draws;
  private final StepCounter stepCounter = new StepCounter();
  private final ValueMemory memory = new ValueMemory(MOST_BYTES);

  private Scope(int slots) {
    this.slots = new Value[slots];
    Arrays.fill(this.slots, Value.MISSING);
  }

  /** Returns a scope with a number of variable slots and no document. */
  public static Scope of(int slots) {
    return new Scope(slots);
  }

  /** Sets the document that paths start from. */
  public Scope root(Document document) {
    root = Value.of(document);
    return this;
  }

  /** Returns the document that paths start from; missing if there is none. */
  public Value root() {
    return root;
  }

  /** Sets the metadata of the document, such as its distance from a point. */
  public Scope metadata(Document metadata) {
    this.metadata = metadata;
    return this;
  }

  /** Returns the metadata of the document. */
  public Document metadata() {
    return metadata;
  }

  /** Declares that later expressions read metadata of documents. */
  public Scope keepMetadata() {
    keepsMetadata = true;
    return this;
  }

  /** Returns whether stages must preserve the metadata of documents. */
  public boolean keepsMetadata() {
    return keepsMetadata;
  }

  /** Records the use of a random number. */
  public void draw() {
    draws++;
  }

  /**
   * Returns how many random numbers were used; while it stays the same, results are deterministic.
   */
  public long draws() {
    return draws;
  }

  /** Counts a step of an evaluation. */
  public void step() {
    stepCounter.step();
  }

  /** Counts several steps of an evaluation. */
  public void step(int count) {
    stepCounter.step(count);
  }

  /** Returns the value after counting the steps of its construction. */
  public Value made(Value value) {
    stepCounter.step(value.isMissing() ? 1 : Interrupt.ofBytes(value.length()));
    return value;
  }

  /** Returns the account of the memory that the evaluation keeps. */
  public ValueMemory memory() {
    return memory;
  }

  /** Returns the value of the variable in this slot. */
  public Value variable(int slot) {
    return slots[slot];
  }

  /** Sets the variable in this slot. */
  public void variable(int slot, Value value) {
    slots[slot] = value;
  }
}
