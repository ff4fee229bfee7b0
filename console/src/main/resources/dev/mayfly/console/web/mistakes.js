import { mongo } from './commands.js';
import { keyOf, rawField } from './keytext.js';
import { isContainer } from './texts.js';

/* Mistakes in the text of a document that can be seen before it is saved. */

/** Place and text of a mistake in JSON; undefined if there is none. */
export function syntaxProblem(text) {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const found = /position (\d+)/.exec(error.message);
    const before = text.slice(0, found ? Number(found[1]) : text.length).split('\n');
    const [line, column] = [before.length, before.at(-1).length + 1];
    return { text: `Line ${line}, column ${column}: ${error.message.split(' in JSON')[0]}`, line,
      column };
  }
}

/** Date fields of the TTL indexes of a collection: [{index, field}]. */
export async function dateFields(collection) {
  const rules = collection.rules.indexes ?? {};
  if (isContainer(collection) || Object.keys(rules).length === 0) {
    return [];
  }
  const { documents } = await mongo(collection.database, { listIndexes: collection.collection });
  return documents.map((text) => JSON.parse(text)).filter((each) => Object.hasOwn(rules, each.name))
    .map((each) => ({ index: each.name, field: Object.keys(each.key)[0] }));
}

/**
 * What will be refused or will not expire as it may seem, as sentences.
 * @param {string} text valid JSON @param {string} stored @param {string[] | undefined} paths
 * @param {{index: string, field: string}[]} dates
 */
export function warnings(collection, { text, stored, paths, dates }) {
  const found = [];
  if (keyOf(text, paths) !== keyOf(stored, paths)) {
    found.push('The id or the partition key was changed: this would be another document. Use '
      + '“Copy as new…” instead.');
  }
  const ttl = ttlWarning(collection, rawField(text, ['ttl']));
  if (ttl) {
    found.push(ttl);
  }
  for (const { index, field } of dates) {
    const value = rawField(text, field.split('.'));
    if (value === undefined || !/^(\{\s*"\$date"|\[)/.test(value)) {
      found.push(`${field} is ${value === undefined ? 'missing' : `${kindOf(value)}, not a date`}: `
        + `by index ${index} this document never expires.`);
    }
  }
  const { property } = collection.rules;
  const start = property && rawField(text, property.split(/[/.]/).filter(Boolean));
  if (property && !/^(\d|\{\s*"\$number)/.test(start ?? '')) {
    found.push(`${property} is ${start === undefined ? 'missing' : `${kindOf(start)}, not a number`
      }: the life of this document begins there, so it never expires.`);
  }
  return found;
}

function kindOf(value) {
  const kinds = { '"': 'a text', '{': 'an object', '[': 'an array', t: 'a boolean', f: 'a boolean',
    n: 'null' };
  return /^\{\s*"\$number/.test(value) ? 'a number' : kinds[value[0]] ?? 'a number';
}

function ttlWarning(collection, ttl) {
  const valid = ttl === undefined || /^(-1|[1-9]\d{0,9})$/.test(ttl)
    || /^\{\s*"\$number(Int|Long)"\s*:\s*"(-1|[1-9]\d{0,9})"\s*\}$/.test(ttl);
  if (valid) {
    return undefined;
  }
  return isContainer(collection)
    ? 'A ttl must be -1 or 1 to 2147483647: the server will refuse this.'
    : 'This ttl is no whole number of seconds: it counts as absent.';
}
