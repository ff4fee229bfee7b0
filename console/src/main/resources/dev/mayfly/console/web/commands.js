import { collectionPath, get, post } from './api.js';
import { databaseName, isContainer } from './texts.js';

/* Commands of both doors. Documents are texts and are never parsed on their way to the server. */

class Raw {
  constructor(text) {
    this.text = text;
  }
}

/** Text that becomes part of a command as it is. @param {string} text */
export function raw(text) {
  return new Raw(text);
}

/** JSON of a value that may contain raw texts. @returns {string} */
export function toText(value) {
  if (value instanceof Raw) {
    return value.text;
  }
  if (Array.isArray(value)) {
    return `[${value.map(toText).join(',')}]`;
  }
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).filter(([, each]) => each !== undefined);
    return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${toText(each)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Runs a command of the MongoDB door. @param {AbortSignal} [signal] */
export function mongo(database, command, tag, signal) {
  return post('/mongo', { database, command: toText(command), tag }, signal);
}

/** Sends a request of the Cosmos door. */
export async function cosmos(method, path, { headers, body, tag } = {}, signal) {
  try {
    return await post('/cosmos', { method, path, headers, tag,
      body: body === undefined ? undefined : toText(body) }, signal);
  } catch (error) {
    throw readable(error, body?.query);
  }
}

/** Refusal of the Cosmos door as a sentence; of a query with line and column. */
function readable(error, query) {
  const found = /^Message: (\{[\s\S]*\})\s+ActivityId/.exec(error.message);
  try {
    const [first] = Object.values(JSON.parse(found[1]))[0];
    error.message = first.message ?? first;
    if (query && first.location) {
      const before = query.slice(0, first.location.start).split('\n');
      error.line = before.length;
      error.column = before.at(-1).length + 1;
      error.message = `Line ${error.line}, column ${error.column}: ${error.message}`;
    }
  } catch {
    error.message = error.message.replace(/[\s,]+ActivityId: [\s\S]*$/, '');
  }
  return error;
}

/** Path of a container at the Cosmos door. */
export function containerPath(collection) {
  const database = encodeURIComponent(databaseName(collection.database));
  return `/dbs/${database}/colls/${encodeURIComponent(collection.collection)}`;
}

/** Path of an admin request about a collection. */
export function about(collection, request) {
  return collectionPath(collection.database, collection.collection, request);
}

/** Stops what runs under a tag; the answer to it is 499. */
export function cancel(tag) {
  return post('/cancel', { tag }).catch(() => ({ cancelled: false }));
}

let tags = 0;

/** A tag that no other request of this page has. */
export function newTag() {
  return `${performance.timeOrigin.toString(36)}-${tags++}`;
}

/** Definition of a container: partition key, indexing policy. */
export async function containerDefinition(collection) {
  const { body } = await cosmos('GET', containerPath(collection));
  return JSON.parse(body);
}

/** Partition key paths of a container; none for a collection. */
export async function partitionPaths(collection) {
  if (!isContainer(collection)) {
    return [];
  }
  return (await containerDefinition(collection)).partitionKey?.paths ?? [];
}

/** Lives of documents: deadline and rule, or why they never expire. */
export async function lives(collection, keys, signal) {
  return keys.length === 0 ? [] : (await post(about(collection, 'lives'), { keys }, signal)).lives;
}

/** State of the rules of a collection. */
export function health(collection, signal) {
  return get(about(collection, 'health'), signal);
}
