/* Documents in a text: one, an array, or one after the other. */

/**
 * Cuts a text that comes in parts into the texts of its documents; every character of a document
 * stays as it is. Between documents, only white space and commas are allowed.
 */
export class Splitter {
  constructor() {
    this.depth = 0;
    this.quote = '';
    this.escaped = false;
    this.open = '';
    this.line = 1;
    this.array = undefined;
  }

  /** Takes the next part of the text. @param {string} part @returns {string[]} whole documents */
  push(part) {
    const found = [];
    let start = this.depth > 0 ? 0 : -1;
    for (let i = 0; i < part.length; i++) {
      const c = part[i];
      this.line += c === '\n' ? 1 : 0;
      if (this.depth === 0) {
        start = this.between(c) ? i : start;
      } else if (this.within(c)) {
        found.push(this.open + part.slice(start, i + 1));
        this.open = '';
        start = -1;
      }
    }
    this.open += start < 0 ? '' : part.slice(start);
    return found;
  }

  /** Takes a character outside of documents. Returns whether a document begins with it. */
  between(c) {
    if (/[\s,\uFEFF]/.test(c)) {
      return false;
    }
    if (c === '[' && this.array === undefined) {
      this.array = 'open';
      return false;
    }
    if (c === ']' && this.array === 'open') {
      this.array = 'closed';
      return false;
    }
    if (c !== '{' || this.array === 'closed') {
      throw new Error(`Line ${this.line}: '{' is missing; this is no document.`);
    }
    this.array ??= 'none';
    this.depth = 1;
    return true;
  }

  /** Takes a character of a document. Returns whether the document ends with it. */
  within(c) {
    if (this.quote) {
      if (this.escaped) {
        this.escaped = false;
      } else if (c === '\\') {
        this.escaped = true;
      } else if (c === this.quote) {
        this.quote = '';
      }
    } else if (c === '"' || c === "'") {
      this.quote = c;
    } else if (c === '{' || c === '[') {
      this.depth++;
    } else if (c === '}' || c === ']') {
      this.depth--;
      return this.depth === 0;
    }
    return false;
  }

  /** Fails if the text has ended within a document. */
  end() {
    if (this.depth > 0 || this.array === 'open') {
      throw new Error('The text ends within a document or an array: a bracket or a quote is '
        + 'missing.');
    }
  }
}

/** Texts of the documents in a text. @param {string} text @returns {string[]} */
export function splitDocuments(text) {
  const splitter = new Splitter();
  const found = splitter.push(text);
  splitter.end();
  if (found.length === 0) {
    throw new Error('There is no document in the text.');
  }
  return found;
}
