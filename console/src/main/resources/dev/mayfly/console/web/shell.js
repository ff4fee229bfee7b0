/* Queries as people type them in a shell ({name: 'x', at: ISODate("…")}) become Extended JSON. */

/** Mistake in a query, with its place. */
export class QueryError extends Error {
  constructor(message, text, at) {
    const before = text.slice(0, at).split('\n');
    const line = before.length;
    const column = before.at(-1).length + 1;
    super(`Line ${line}, column ${column}: ${message}`);
    this.line = line;
    this.column = column;
  }
}

const CALLS = {
  ObjectId: (v) => `{"$oid":${v}}`,
  ISODate: (v) => `{"$date":${v}}`,
  Date: (v) => `{"$date":${v}}`,
  NumberLong: (v) => `{"$numberLong":${asText(v)}}`,
  Long: (v) => `{"$numberLong":${asText(v)}}`,
  NumberInt: (v) => `{"$numberInt":${asText(v)}}`,
  Int32: (v) => `{"$numberInt":${asText(v)}}`,
  Double: (v) => `{"$numberDouble":${asText(v)}}`,
  NumberDecimal: (v) => `{"$numberDecimal":${asText(v)}}`,
  Decimal128: (v) => `{"$numberDecimal":${asText(v)}}`,
  UUID: (v) => `{"$uuid":${v}}`,
};

function asText(value) {
  return value.startsWith('"') ? value : `"${value}"`;
}

/**
 * @param {string} text @returns {string} Extended JSON
 * @throws {QueryError}
 */
export function toExtendedJson(text) {
  return new ShellReader(text).document();
}

class ShellReader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  document() {
    const value = this.value();
    this.space();
    if (this.at < this.text.length) {
      this.fail('something follows after the end');
    }
    return value;
  }

  fail(message) {
    throw new QueryError(message, this.text, this.at);
  }

  space() {
    const found = /^(?:\s|\/\/[^\n]*)*/.exec(this.text.slice(this.at));
    this.at += found[0].length;
  }

  peek() {
    this.space();
    return this.text[this.at];
  }

  match(pattern) {
    const found = pattern.exec(this.text.slice(this.at));
    if (found) {
      this.at += found[0].length;
    }
    return found;
  }

  value() {
    const c = this.peek();
    if (c === undefined) {
      this.fail('a value is missing');
    }
    if (c === '{') {
      return this.list('}', () => `${this.name()}:${this.value()}`);
    }
    if (c === '[') {
      return this.list(']', () => this.value());
    }
    if (c === '"' || c === "'") {
      return this.string();
    }
    if (c === '/') {
      return this.regex();
    }
    const number = this.match(/^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/);
    return number ? strictNumber(number[0]) : this.word();
  }

  list(end, one) {
    const open = this.text[this.at++];
    const parts = [];
    while (this.peek() !== end) {
      if (this.at >= this.text.length) {
        this.fail(`'${open}' is not closed by '${end}'`);
      }
      parts.push(one());
      if (this.peek() === ',') {
        this.at++;
      } else if (this.peek() !== end) {
        this.fail(`',' or '${end}' is missing`);
      }
    }
    this.at++;
    return open + parts.join(',') + end;
  }

  name() {
    const c = this.peek();
    const quoted = c === '"' || c === "'";
    const plain = quoted ? undefined : this.match(/^[\w$.]+/);
    if (!quoted && !plain) {
      this.fail('a field name is missing');
    }
    const name = quoted ? this.string() : JSON.stringify(plain[0]);
    if (this.peek() !== ':') {
      this.fail(`':' is missing after ${name}`);
    }
    this.at++;
    return name;
  }

  string() {
    const quote = this.text[this.at];
    const start = this.at;
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== quote) {
      end += this.text[end] === '\\' ? 2 : 1;
    }
    if (end >= this.text.length) {
      this.fail('the text is not closed');
    }
    this.at = end + 1;
    const inner = this.text.slice(start + 1, end);
    return quote === '"' ? `"${inner}"`
      : JSON.stringify(inner.replace(/\\'/g, "'").replace(/\\\\/g, '\\'));
  }

  regex() {
    const found = this.match(/^\/((?:[^/\\\n]|\\.)+)\/([imxsu]*)/);
    if (!found) {
      this.fail('the regular expression is not closed');
    }
    return JSON.stringify({ $regularExpression: { pattern: found[1], options: found[2] } });
  }

  word() {
    this.match(/^new\s+/);
    const found = this.match(/^[A-Za-z]\w*/);
    const word = found?.[0];
    if (['true', 'false', 'null'].includes(word)) {
      return word;
    }
    if (word && Object.hasOwn(CALLS, word) && this.peek() === '(') {
      this.at++;
      const value = this.value();
      if (this.peek() !== ')') {
        this.fail("')' is missing");
      }
      this.at++;
      return CALLS[word](value);
    }
    this.at -= word?.length ?? 0;
    return this.fail(word ? `'${word}' is no value; texts need quotes` : 'a value is missing');
  }
}

/** JSON has no ".5" and no "5."; a double keeps its point. */
function strictNumber(number) {
  return number.replace(/^(-?)\./, '$10.').replace(/\.(?=$|[eE])/, '.0');
}
