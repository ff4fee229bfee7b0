import { cosmos, mongo, raw, toText } from './commands.js';
import { item } from './documents.js';
import { isContainer } from './texts.js';

/* Writes of one field; the other fields stay as they are. */

/**
 * Sets or removes one field of a document.
 * @param {string | undefined} value text of the value; undefined removes the field
 * @param {string} [etag] of an item that must not have changed
 */
export function setField(collection, key, field, value, etag) {
  if (!isContainer(collection)) {
    return setFields(collection, { _id: { $eq: raw(key) } }, field, value);
  }
  const { path, headers } = item(collection, key);
  const operation = value === undefined ? { op: 'remove', path: `/${field}` }
    : { op: 'set', path: `/${field}`, value: raw(value) };
  return cosmos('PATCH', path, { headers: { ...headers, ...(etag ? { 'if-match': etag } : {}),
    'content-type': 'application/json_patch+json' }, body: { operations: [operation] } });
}

/** Sets or removes one field of all documents that match a filter; reports the number. */
export async function setFields(collection, filter, field, value) {
  const { reply } = await mongo(collection.database, { update: collection.collection, updates: [{
    q: filter, multi: true,
    u: value === undefined ? { $unset: { [field]: '' } } : { $set: { [field]: raw(value) } } }] });
  const { n, writeErrors } = JSON.parse(reply);
  if (writeErrors?.length) {
    throw new Error(writeErrors[0].errmsg);
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
