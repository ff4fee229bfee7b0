package dev.mayfly.cosmos.hybridrow;

/** Constants of the row format. */
final class Rows {
  /** The first byte of every row. */
  static final int VERSION = 0x81;

  static final int SEGMENT = 2_147_473_648;
  static final int RECORD = 2_147_473_649;
  static final int OPERATION = 2_145_473_648;
  static final int RESULT = 2_145_473_649;

  /** Types of sparse fields. */
  static final int NULL = 1;

  static final int FALSE = 2;
  static final int TRUE = 3;
  static final int INT32 = 7;
  static final int UINT32 = 11;
  static final int FLOAT64 = 16;
  static final int UTF8 = 20;
  static final int BINARY = 21;

  private Rows() {}
}
