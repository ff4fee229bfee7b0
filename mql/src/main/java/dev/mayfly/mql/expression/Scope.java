package dev.mayfly.mql.expression;

import dev.mayfly.query.Interrupt;
import dev.mayfly.query.StepCounter;
import dev.mayfly.query.ValueMemory;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Arrays;

/**
 * The document at hand and the variables by slot.
 *
 * <p>Mutable, one per evaluating thread; reused from document to document. A variable that was not
 * set is missing.
 */
public final class Scope {
  /** What the values may take that an evaluation keeps, as MongoDB has it. */
  private static final long MOST_BYTES = 100L << 20;

  private final Value[] slots;
  private Value root = Value.MISSING;
  private Document metadata = Document.EMPTY;
  private boolean attentive;
  private long draws;
  private final StepCounter stepCounter = new StepCounter();
  private final ValueMemory memory = new ValueMemory(MOST_BYTES);

  private Scope(int slots) {
    this.slots = new Value[slots];
    Arrays.fill(this.slots, Value.MISSING);
  }

  /** A scope with so many variable slots, no document yet. */
  public static Scope of(int slots) {
    return new Scope(slots);
  }

  /** Makes this the document that paths start from. */
  public Scope root(Document document) {
    root = Value.of(document);
    return this;
  }

  /** The document that paths start from; missing when there is none. */
  public Value root() {
    return root;
  }

  /** What is known about the document beside its fields, such as its distance from a point. */
  public Scope metadata(Document metadata) {
    this.metadata = metadata;
    return this;
  }

  /** What is known about the document beside its fields. */
  public Document metadata() {
    return metadata;
  }

  /** Says that somebody will ask for what is known about documents beside their fields. */
  public Scope attend() {
    attentive = true;
    return this;
  }

  /** Whether what is known about a document must not be lost on its way. */
  public boolean attentive() {
    return attentive;
  }

  /** Notes that something was left to chance. */
  public void draw() {
    draws++;
  }

  /** How often something was left to chance; as long as it stays, the same gives the same. */
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

  /** The value, the making of which counts as steps. */
  public Value made(Value value) {
    stepCounter.step(value.isMissing() ? 1 : Interrupt.ofBytes(value.length()));
    return value;
  }

  /** What the values take that the evaluation keeps. */
  public ValueMemory memory() {
    return memory;
  }

  /** The value of the variable in this slot. */
  public Value variable(int slot) {
    return slots[slot];
  }

  /** Sets the variable in this slot. */
  public void variable(int slot, Value value) {
    slots[slot] = value;
  }
}
