package dev.mayfly.sql;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** Kind of an argument; with another value the function is undefined. */
enum Kind {
  TEXT {
    @Override
    boolean admits(Value argument) {
      return argument.type() == Type.STRING;
    }
  },

  NUMBER {
    @Override
    boolean admits(Value argument) {
      return argument.isNumber();
    }
  },

  /** An integer of 64 bits, of any numeric type. */
  INTEGER {
    @Override
    boolean admits(Value argument) {
      return SqlNumbers.integral(argument);
    }
  },

  BOOLEAN {
    @Override
    boolean admits(Value argument) {
      return argument.type() == Type.BOOLEAN;
    }
  },

  ARRAY {
    @Override
    boolean admits(Value argument) {
      return argument.isArray();
    }
  },

  OBJECT {
    @Override
    boolean admits(Value argument) {
      return argument.isDocument();
    }
  },

  /** Any value but undefined. */
  DEFINED {
    @Override
    boolean admits(Value argument) {
      return !argument.isMissing();
    }
  },

  /** Any value, including undefined. */
  ANYTHING {
    @Override
    boolean admits(Value argument) {
      return true;
    }
  };

  abstract boolean admits(Value argument);
}
