import { count, counted, duration, exactDuration } from './format.js';

/* Sentences of the console. Labels of controls stand beside their controls. */

/** Name of a database without the prefix of the Cosmos door. @param {string} database */
export function databaseName(database) {
  return database.startsWith('cosmos:') ? database.slice('cosmos:'.length) : database;
}

/** @param {{dialect: string}} collection */
export function isContainer(collection) {
  return collection.dialect === 'cosmos';
}

/** "container" or "collection". */
export function kindOf(collection) {
  return isContainer(collection) ? 'container' : 'collection';
}

/** That a collection is not there. */
export function gone({ database, collection }) {
  return `There is no collection ${databaseName(database)}.${collection}. It may have been dropped `
    + 'or renamed, or your roles do not let you see it.';
}

/** Built-in roles that allow no write. */
const READ_ROLES = ['read', 'readAnyDatabase', 'clusterMonitor'];

/** Why a user cannot change anything; empty if it can. @param {Record<string, any>} session */
export function readOnlyReason(session) {
  if (session?.access === 'read') {
    return TEXTS.readAccess;
  }
  const roles = (session?.roles ?? []).map((role) => role.split('@')[0]);
  return session?.kind === 'user' && roles.every((role) => READ_ROLES.includes(role))
    ? TEXTS.readRoles : '';
}

/** Rules in three words, for the tree. @param {Record<string, any>} rules */
export function rulesInShort(rules) {
  const indexes = Object.entries(rules.indexes ?? {});
  const parts = [];
  if (rules.default > 0) {
    parts.push(duration(rules.default));
  } else if (rules.default === -1) {
    parts.push('own ttl only');
  }
  if (rules.id !== undefined) {
    parts.push(`id + ${duration(rules.id)}`);
  }
  if (indexes.length === 1) {
    const [name, seconds] = indexes[0];
    parts.push(seconds === 0 ? `at ${name}` : `${name} + ${duration(seconds)}`);
  } else if (indexes.length > 1) {
    parts.push(`${indexes.length} TTL indexes`);
  }
  return parts.length === 0 ? 'off' : parts.join(', ');
}

/** Name of a rule for people. @param {string} rule */
export function ruleName(rule) {
  const names = { default: 'default TTL', own: 'own ttl', id: 'date in the id' };
  return names[rule] ?? rule.replace(/^index:/, 'index ').replace(/^with:/, 'parent in ');
}

/**
 * All rules as sentences.
 * @param {Record<string, any>} rules @param {number} [own] documents with a ttl of their own
 * @param {Map<string, string>} [known] sentences of the server by the name of a rule
 */
export function ruleSentences(rules, own, known) {
  const start = rules.property ? `the time in \`${rules.property}\`` : 'their last write';
  const sentences = [];
  if (rules.default > 0) {
    sentences.push(`Documents expire ${exactDuration(rules.default)} after ${start}, unless they `
      + `have a \`ttl\` of their own${own === undefined ? '' : `; ${haveOwn(own)}`}.`);
  } else if (rules.default === -1) {
    sentences.push(`Only documents with a \`ttl\` of their own expire, that many seconds after `
      + `${start}.`);
  }
  if (rules.id !== undefined) {
    sentences.push(`Documents expire ${exactDuration(rules.id)} after the date in their id.`);
  }
  for (const [name, seconds] of Object.entries(rules.indexes ?? {})) {
    sentences.push(known?.get(`index:${name}`)
      ?? `Documents expire ${afterDate(seconds)} of index \`${name}\`.`);
  }
  if (sentences.length === 0) {
    sentences.push('Time to live is off: no document expires.');
  }
  if (rules.graceSeconds > 0) {
    sentences.push(`A change of the rules can be undone for ${exactDuration(rules.graceSeconds)}.`);
  }
  return sentences;
}

function haveOwn(own) {
  return own === 0 ? 'none has' : `${count(own)} ${own === 1 ? 'has' : 'have'}`;
}

function afterDate(seconds) {
  return seconds === 0 ? 'at the date in the field' : `${exactDuration(seconds)} after the date`;
}

/** @param {number} documents */
export function expiresAtOnce(documents) {
  return documents === 0 ? 'Nothing expires at once.'
    : `${counted(documents, 'document')} would expire at once.`;
}

/** Column "expires" of a document. @param {Record<string, any>} life */
export function neverText(life) {
  return life.why ? `never · ${life.why.replace(/\.$/, '')}` : 'never';
}

/** What a change of rules did, for the history. */
export function changeText(change) {
  if (change.kind === 'undo') {
    return `Undone: ${counted(change.restored ?? 0, 'document')} returned`;
  }
  if (change.kind === 'built') {
    return 'A rule was built and took effect';
  }
  if (change.expired === undefined) {
    return 'Rules changed';
  }
  return change.expired === 0 ? 'Rules changed; nothing expired at once'
    : `Rules changed; ${counted(change.expired, 'document')} expired at once`;
}

/** The greatest bar in words. */
export function greatest(buckets, span) {
  const top = buckets.reduce((best, each) => (each.value > best.value ? each : best));
  return top.value === 0 ? 'Nothing expires in this time.'
    : `Most expire ${span(top)}: ${count(top.value)}.`;
}

/** That no operation was slow. @param {number} [slowMillis] absent if none is kept */
export function noneSlow(slowMillis) {
  return slowMillis === undefined ? 'Slow operations are not kept (setting slow-millis).'
    : `No operation took ${count(slowMillis)} ms or more (setting slow-millis).`;
}

export const TEXTS = {
  readOnly: 'You can look, but not change: ',
  readAccess: 'this console is read-only (setting console-access).',
  readRoles: 'your roles do not allow writes.',
  lost: 'The server does not answer. Trying again…',
  sweepPaused: 'The sweep is paused. Expired documents are invisible, but their space is not freed '
    + 'and the feed does not report them.',
  diskFull: 'The server refuses writes, because it may not use more disk space (settings max-disk '
    + 'and min-free-disk). Expired documents are still swept.',
  stale: 'This preview is older than a minute. Preview again before you apply it.',
  graceHint: 'How long expired documents are kept so that a change can be undone. While it runs, '
    + 'the feed reports expiries that much later.',
  trimmed: 'Some changes are no longer kept; the list goes on at the oldest.',
  restarted: 'The server was restarted without its data; the list goes on from its beginning.',
  notWritten: 'The document was changed since it was read here. Nothing was written.',
  goneNotWritten: 'The document does not exist any more. Nothing was written.',
  editedLife: 'Save or discard your changes first.',
  noVersion: 'Its version is not known. Run the query again.',
  back: 'The server did not answer for a while. It answers again; nothing was skipped.',
  noImage: 'The feed keeps no image of this change. A collection keeps images of documents before '
    + 'a change if its option changeStreamPreAndPostImages is enabled.',
  emptyServer: 'There are no collections yet. Connect with a driver, or make a sample whose '
    + 'documents expire within minutes.',
  nothingToSee: 'There are no collections that your roles let you see.',
  noDocuments: 'No document matches.',
  emptyCollection: 'This collection is empty.',
  changed: 'Somebody else changed this document after you opened it. Nothing was saved.',
  notDeleted: 'Somebody else changed this document after you opened it. It was not deleted; this '
    + 'is the new version.',
  gone: 'This document does not exist any more. Nothing was saved; your text is still here.',
  wholeScan: 'All documents of the collection were read to answer this. An index could help.',
  manyRead: 'Far more documents were read than found. The indexing policy may exclude a path of '
    + 'this query.',
  ttlWithoutRule: 'No rule reads a ttl here: it has no effect until the time to live is switched '
    + 'on (On, or On without a default).',
  tooLarge: 'This document is larger than 1 MiB: it is shown folded and read-only.',
};
