package dev.mayfly.sql;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** What an argument must be for a function to be defined. */
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

  /** A whole number that 64 bits hold, however it is written. */
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

  /** Any value; the function itself knows what undefined means. */
  ANYTHING {
    @Override
    boolean admits(Value argument) {
      return true;
    }
  };

  abstract boolean admits(Value argument);
}
