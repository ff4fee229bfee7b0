import { mongo, raw } from './commands.js';
import { firstPage, nextPage } from './documents.js';
import { toExtendedJson } from './shell.js';
import { isContainer } from './texts.js';

/* What a query finds as a whole: its number, its batches, one document by its id. */

const COUNT_MILLIS = 10000;
const ALIAS = /(?:\s+(?:AS\s+)?(?!WHERE\b|ORDER\b)\w+)?/;
const FROM = /^\s*SELECT\s+\*\s+FROM\s+\w+/;
const WHOLE = new RegExp(`${FROM.source}${ALIAS.source}\\s*(?:WHERE|ORDER|$)`, 'i');
const PARTS = /\b(?:JOIN|GROUP\s+BY|OFFSET|LIMIT)\b/i;
const STRINGS = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g;

/** Fails if a query does not find whole documents: work on all of them would hit others. */
export function mustBeWhole(collection, query) {
  const plain = query.text.replace(STRINGS, "''");
  if (isContainer(collection) ? !WHOLE.test(plain) || PARTS.test(plain) : query.pipeline) {
    throw new Error(isContainer(collection)
      ? 'Work on all that match needs a query of whole documents: SELECT * FROM c WHERE …, '
        + 'without TOP, DISTINCT, JOIN, GROUP BY or OFFSET. Nothing was changed.'
      : 'Work on all that match needs a filter, not a pipeline. Nothing was changed.');
  }
}

/** The same query without order and projection: for batches. */
export function unordered(collection, query) {
  if (!isContainer(collection)) {
    return { ...query, sort: '', projection: '' };
  }
  const masked = query.text.replace(STRINGS, (string) => '_'.repeat(string.length));
  const order = masked.search(/\bORDER\s+BY\b/i);
  return { ...query, text: order < 0 ? query.text : query.text.slice(0, order) };
}

/** Number of documents that match; takes up to 10 s, and can be cancelled by its tag. */
export async function countMatches(collection, query, tag) {
  if (isContainer(collection)) {
    return countItems(collection, query, tag);
  }
  const stages = query.pipeline ? toExtendedJson(query.text).slice(1, -1)
    : `{"$match":${filterText(query)}}`;
  const { documents } = await mongo(collection.database, { aggregate: collection.collection,
    pipeline: raw(`[${stages}${stages ? ',' : ''}{"$count":"n"}]`), cursor: {},
    maxTimeMS: COUNT_MILLIS }, tag);
  const n = documents.length === 0 ? 0 : JSON.parse(documents[0]).n;
  return Number(n.$numberLong ?? n.$numberInt ?? n);
}

/** Filter of a query as Extended JSON. */
export function filterText(query) {
  return toExtendedJson(query.text.trim() || '{}');
}

async function countItems(collection, query, tag) {
  const until = performance.now() + COUNT_MILLIS;
  const whole = isWhole(query.text);
  const text = whole ? unordered(collection, query).text
    .replace(/^\s*SELECT\s+\*/i, 'SELECT VALUE COUNT(1)') : query.text;
  let total = 0;
  let page = await firstPage(collection, { text }, { tag, most: 200 });
  for (;;) {
    total += whole ? page.texts.reduce((sum, each) => sum + Number(each), 0) : page.texts.length;
    if (!page.next) {
      return total;
    }
    if (performance.now() > until) {
      throw new Error('Counting took longer than 10 s and was stopped.');
    }
    page = await nextPage(collection, { text }, page.next, { tag, most: 200 });
  }
}

function isWhole(text) {
  const plain = text.replace(STRINGS, "''");
  return WHOLE.test(plain) && !PARTS.test(plain);
}

/**
 * Documents with an id, of any type or partition that the typed text can mean.
 * @param {string} typed as people write it: note-1, 42, ObjectId("…"), a GUID
 * @returns {Promise<{texts: string[], query: Record<string, any>}>} and the query that finds them
 */
export async function withId(collection, typed) {
  const query = isContainer(collection)
    ? { text: `SELECT * FROM c WHERE c.id = ${JSON.stringify(typed)}` }
    : { text: `{_id: {$in: [${meanings(typed).join(', ')}]}}`, sort: '', projection: '',
      pipeline: false };
  const { texts } = await firstPage(collection, query, { most: 10 });
  return { texts, query };
}

/** Values that a typed id can mean, in the language of a shell. */
function meanings(typed) {
  const found = [JSON.stringify(typed)];
  if (/^[\da-f]{24}$/i.test(typed)) {
    found.push(`ObjectId("${typed}")`);
  } else if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(typed)) {
    found.push(`UUID("${typed}")`);
  } else if (/^["{[(]|^-?\d|^\w+\(/.test(typed)) {
    try {
      toExtendedJson(typed);
      found.push(typed);
    } catch {
      // a text that only looks like a value
    }
  }
  return found;
}
