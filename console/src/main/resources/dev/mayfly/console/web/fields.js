import { cosmos, mongo, raw, toText } from './commands.js';
import { item } from './documents.js';
import { etagOf } from './keytext.js';
import { TEXTS, isContainer } from './texts.js';

/* Writes of one field; the other fields stay as they are. */

const OTHER_VERSION = 90412;

/** Why a document was not written: it was changed meanwhile, or does not exist any more. */
export class NotWritten extends Error {
  /** @param {'changed' | 'gone'} outcome */
  constructor(outcome) {
    super(outcome === 'changed' ? TEXTS.notWritten : TEXTS.goneNotWritten);
    this.outcome = outcome;
  }
}

/**
 * Sets or removes one field of a document, if it still has the version that was shown.
 * @param {string | undefined} value text of the value; undefined removes the field
 * @param {string} version @throws {NotWritten}
 */
export async function setField(collection, key, field, value, version) {
  if (!version) {
    throw new Error(TEXTS.noVersion);
  }
  const outcome = isContainer(collection) ? await patch(collection, key, field, value, version)
    : await update(collection, { q: { _id: { $eq: raw(key) } }, u: updateOf(field, value),
      mayflyVersion: { $numberLong: version } });
  if (outcome !== 1) {
    throw new NotWritten(outcome === 0 ? 'gone' : 'changed');
  }
}

/** Writes one field of an item. @returns {Promise<1 | 0 | 'changed'>} */
async function patch(collection, key, field, value, version) {
  const { path, headers } = item(collection, key);
  const operation = value === undefined ? { op: 'remove', path: `/${field}` }
    : { op: 'set', path: `/${field}`, value: raw(value) };
  try {
    await cosmos('PATCH', path, { headers: { ...headers, 'if-match': etagOf(version),
      'content-type': 'application/json_patch+json' }, body: { operations: [operation] } });
    return 1;
  } catch (error) {
    if (error.status === 404 || error.status === 412) {
      return error.status === 404 ? 0 : 'changed';
    }
    throw error;
  }
}

/** Sets or removes one field of all documents that match a filter; reports the number. */
export function setFields(collection, filter, field, value) {
  return update(collection, { q: filter, u: updateOf(field, value), multi: true });
}

function updateOf(field, value) {
  return value === undefined ? { $unset: { [field]: '' } } : { $set: { [field]: raw(value) } };
}

/** Runs one update. @returns {Promise<number | 'changed'>} number of documents that match */
async function update(collection, statement) {
  const { reply } = await mongo(collection.database,
    { update: collection.collection, updates: [statement] });
  const { n, writeErrors } = JSON.parse(reply);
  if (writeErrors?.length) {
    const [{ code, errmsg }] = writeErrors;
    if (Number(code.$numberInt ?? code) === OTHER_VERSION) {
      return 'changed';
    }
    throw new Error(errmsg);
  }
  return Number(n.$numberInt ?? n);
}

/** The write that setField makes, for people. */
export function shownWrite(collection, field, value) {
  if (isContainer(collection)) {
    return value === undefined ? `remove ${field}` : `set ${field} to ${value}`;
  }
  return value === undefined ? toText({ $unset: { [field]: '' } })
    : `{"$set":{"${field}":${value}}}`;
}
