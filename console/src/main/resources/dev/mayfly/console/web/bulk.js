import { html, nothing } from 'lit';
import { PageElement } from './base.js';
import { firstPage, removeKeys, setField } from './documents.js';
import { count } from './format.js';
import { keyOf } from './keytext.js';

/* Work on many documents in batches, with progress; it can be stopped between two batches. */

const BATCH = 200;
const MOST_REFUSALS = 20;

/** Dialog that shows progress and a stop button. */
class Progress extends PageElement {
  static properties = { state: { attribute: false } };

  firstUpdated() {
    this.querySelector('dialog').showModal();
  }

  render() {
    const { title, done, total, ended, stopped, refusals } = this.state;
    return html`<dialog aria-labelledby="progress-title" @close=${() => this.remove()}
        @cancel=${(event) => (ended ? undefined : event.preventDefault())}><div class="stack">
      <h2 id="progress-title">${title}</h2>
      <progress max=${Math.max(1, total ?? 1)} .value=${total ? Math.min(done, total) : 0}
        aria-label=${title}></progress>
      <p role="status">${count(done)}${total === undefined ? '' : ` of ${count(total)}`} done${
        ended ? (stopped ? ', stopped.' : '.') : '…'}</p>
      ${refusals.length ? html`<ul class="stack tight problem">${refusals.map((each) => html`<li>
        ${each}</li>`)}</ul>` : nothing}
      <div class="actions">${ended
        ? html`<button class="primary" @click=${() => this.querySelector('dialog').close()}>Close
          </button>`
        : html`<button @click=${() => { this.state.stop = true; }}>Stop</button>`}</div>
    </div></dialog>`;
  }
}

customElements.define('m-progress', Progress);

/**
 * Runs batches until `step` returns false, or until it is stopped.
 * @param {(note: (done: number, refusal?: string) => void) => Promise<boolean>} step
 */
async function run(title, total, step) {
  const dialog = document.createElement('m-progress');
  const state = { title, total, done: 0, ended: false, stopped: false, refusals: [] };
  dialog.state = state;
  document.body.append(dialog);
  const note = (done, refusal) => {
    state.done += done;
    if (refusal && state.refusals.length < MOST_REFUSALS) {
      state.refusals.push(refusal);
    }
    dialog.requestUpdate();
  };
  try {
    while (!state.stop && await step(note)) {
      dialog.requestUpdate();
    }
  } catch (error) {
    note(0, error.message);
  }
  state.stopped = Boolean(state.stop);
  state.ended = true;
  dialog.requestUpdate();
  return state.done;
}

/** Removes documents by their keys. */
export function removeAll(collection, keys) {
  let at = 0;
  return run('Deleting', keys.length, async (note) => {
    const part = keys.slice(at, at + BATCH);
    at += BATCH;
    await removeBatch(collection, part, note);
    return at < keys.length;
  });
}

async function removeBatch(collection, keys, note) {
  const answer = await removeKeys(collection, keys);
  note(answer.removed + (answer.gone ?? 0));
  (answer.refused ?? []).forEach((each) => note(0, each.error));
  return answer.removed + (answer.gone ?? 0);
}

/** Removes all documents that match a query, batch by batch. */
export function removeMatches(collection, query, total, partitionPaths) {
  return run('Deleting', total, async (note) => {
    const { texts } = await firstPage(collection, query, { most: BATCH });
    const keys = texts.map((text) => keyOf(text, partitionPaths));
    return keys.length > 0 && await removeBatch(collection, keys, note) > 0;
  });
}

/** Sets `ttl` of documents; undefined removes it. */
export function setTtl(collection, keys, value) {
  let at = 0;
  return run(value === undefined ? 'Removing ttl' : 'Setting ttl', keys.length, async (note) => {
    const part = keys.slice(at, at + 10);
    at += 10;
    await Promise.all(part.map((key) => setField(collection, key, 'ttl', value)
      .then(() => note(1), (error) => note(0, error.message))));
    return at < keys.length;
  });
}
