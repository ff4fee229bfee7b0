import { html, nothing } from 'lit';
import { PageElement } from './base.js';
import { mongo, raw } from './commands.js';
import { firstPage, nextPage, release, removeKeys } from './documents.js';
import { NotWritten, setField, setFields } from './fields.js';
import { count } from './format.js';
import { keyOf, shownKey, versionOf } from './keytext.js';
import { filterText, unordered } from './matches.js';
import { isContainer } from './texts.js';

/* Work on many documents in batches, with progress; it can be stopped between two batches. */

const BATCH = 200;
const TOGETHER = 10;
const MOST_REFUSALS = 20;

/** Dialog that shows progress and a stop button. */
class Progress extends PageElement {
  static properties = { state: { attribute: false } };

  firstUpdated() {
    this.querySelector('dialog').showModal();
  }

  async close() {
    await this.updateComplete;
    this.querySelector('dialog').close();
  }

  render() {
    const { title, done, total, ended, stopped, refusals, refused } = this.state;
    return html`<dialog aria-labelledby="progress-title" @close=${() => this.remove()}
        @cancel=${(event) => (ended ? undefined : event.preventDefault())}><div class="stack">
      <h2 id="progress-title">${title}</h2>
      <progress max=${Math.max(1, total ?? 1)} .value=${total ? Math.min(done, total) : 0}
        aria-label=${title}></progress>
      <p role="status">${count(done)}${total === undefined ? '' : ` of ${count(total)}`} done${
        ended ? (stopped ? ', stopped.' : '.') : '…'}</p>
      ${refused ? html`<p>${count(refused)} not done:</p>` : nothing}
      ${refusals.length ? html`<ul class="stack tight problem">${refusals.map((each) => html`<li>
        ${each}</li>`)}</ul>` : nothing}
      <div class="actions">${ended
        ? html`<button class="primary" @click=${this.close}>Close</button>`
        : html`<button @click=${() => { this.state.stop = true; this.requestUpdate(); }}
          ?disabled=${this.state.stop}>${this.state.stop ? 'Stopping…' : 'Stop'}</button>`}</div>
    </div></dialog>`;
  }
}

customElements.define('m-progress', Progress);

/**
 * Runs batches until `step` returns false, or until it is stopped.
 * @param {(note: (done: number, refusal?: string) => void) => Promise<boolean>} step
 * @returns {Promise<{done: number, stopped: boolean, failed?: boolean, close: () => void}>} when it
 *   has ended; the dialog stays until it is closed
 */
export async function runBatches(title, total, step) {
  const dialog = document.createElement('m-progress');
  const state = { title, total, done: 0, ended: false, stopped: false, refused: 0, refusals: [] };
  dialog.state = state;
  document.body.append(dialog);
  const note = (done, refusal) => {
    state.done += done;
    if (refusal) {
      state.refused++;
      state.refusals = [...state.refusals, refusal].slice(0, MOST_REFUSALS);
    }
    dialog.requestUpdate();
  };
  try {
    let more = true;
    while (more && !state.stop) {
      more = await step(note);
    }
    state.stopped = more;
  } catch (error) {
    state.failed = true;
    note(0, error.message);
  }
  state.ended = true;
  dialog.requestUpdate();
  return { ...state, close: () => dialog.close() };
}

/** Removes documents by their keys, if they still have the versions that were shown. */
export function removeAll(collection, keys, versions) {
  let at = 0;
  return runBatches('Deleting', keys.length, async (note) => {
    const [from, to] = [at, at + BATCH];
    at = to;
    await removeBatch(collection, keys.slice(from, to), versions.slice(from, to), note);
    return at < keys.length;
  });
}

async function removeBatch(collection, keys, versions, note) {
  const answer = await removeKeys(collection, keys, versions);
  const done = answer.removed + (answer.gone ?? 0);
  note(done);
  (answer.changed ?? []).forEach((key) => note(0, changedText(key)));
  (answer.refused ?? []).forEach((each) => note(0, each.error));
  return done;
}

function changedText(key) {
  return `${shownKey(key)} was changed meanwhile and was left alone.`;
}

/**
 * Removes the documents that match a query, batch by batch, at most as many as were counted. A
 * document that no longer matches when its batch comes is left alone.
 */
export function removeMatches(collection, query, total, partitionPaths) {
  const plain = unordered(collection, query);
  let left = total;
  return runBatches('Deleting', total, async (note) => {
    const { texts } = await firstPage(collection, plain, { most: Math.min(BATCH, left) });
    const keys = texts.slice(0, left).map((text) => keyOf(text, partitionPaths));
    if (keys.length === 0) {
      return false;
    }
    const done = isContainer(collection)
      ? await removeBatch(collection, keys, texts.slice(0, left).map(versionOf), note)
      : await removeFound(collection, plain, keys, note);
    left -= done;
    return done > 0 && left > 0;
  });
}

async function removeFound(collection, query, keys, note) {
  const { reply } = await mongo(collection.database, { delete: collection.collection,
    deletes: [{ q: both(query, keys), limit: 0 }] });
  const { n, writeErrors } = JSON.parse(reply);
  (writeErrors ?? []).forEach((each) => note(0, each.errmsg));
  const done = Number(n.$numberInt ?? n);
  note(done);
  return done;
}

/** Filter of a query and of a batch of ids. */
function both(query, keys) {
  return { $and: [raw(filterText(query)), { _id: { $in: keys.map(raw) } }] };
}

/** Sets `ttl` of documents that still have the versions that were shown; undefined removes it. */
export function setTtl(collection, keys, versions, value) {
  let at = 0;
  return runBatches(ttlTitle(value), keys.length, async (note) => {
    const [from, to] = [at, at + TOGETHER];
    at = to;
    await setTtlTogether(collection, keys.slice(from, to), versions.slice(from, to), value, note);
    return at < keys.length;
  });
}

function setTtlTogether(collection, keys, versions, value, note) {
  return Promise.all(keys.map((key, i) => setField(collection, key, 'ttl', value, versions[i])
    .then(() => note(1), (error) => note(0, refusalOf(key, error)))));
}

function refusalOf(key, error) {
  if (!(error instanceof NotWritten)) {
    return `${shownKey(key)}: ${error.message}`;
  }
  return error.outcome === 'changed' ? changedText(key)
    : `${shownKey(key)} does not exist any more.`;
}

function ttlTitle(value) {
  return value === undefined ? 'Removing ttl' : 'Setting ttl';
}

/** Sets `ttl` of the documents that match a query, at most as many as were counted. */
export function setTtlOfMatches(collection, query, total, partitionPaths, value) {
  const plain = unordered(collection, query);
  let next;
  let left = total;
  return runBatches(ttlTitle(value), total, async (note) => {
    const page = next ? await nextPage(collection, plain, next, { most: BATCH })
      : await firstPage(collection, plain, { most: BATCH });
    const texts = page.texts.slice(0, left);
    left -= texts.length;
    next = page.next;
    if (isContainer(collection)) {
      await setTtlOfItems(collection, texts, partitionPaths, value, note);
    } else if (texts.length > 0) {
      note(await setFields(collection, both(plain, texts.map((text) => keyOf(text))), 'ttl',
        value));
    }
    return Boolean(next) && left > 0;
  }).finally(() => release(collection, next, 0));
}

async function setTtlOfItems(collection, texts, partitionPaths, value, note) {
  for (let at = 0; at < texts.length; at += TOGETHER) {
    const part = texts.slice(at, at + TOGETHER);
    await setTtlTogether(collection, part.map((text) => keyOf(text, partitionPaths)),
      part.map(versionOf), value, note);
  }
}
