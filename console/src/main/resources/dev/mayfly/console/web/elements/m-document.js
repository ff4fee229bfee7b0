import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { lives } from '../commands.js';
import { ask } from '../dialogs.js';
import { readDocument, removeKeys, save } from '../documents.js';
import { indent } from '../ejson.js';
import { bytes, toDate, when } from '../format.js';
import { keyOf, rawField, shownKey } from '../keytext.js';
import { say, sayError } from '../messages.js';
import { TEXTS, isContainer } from '../texts.js';
import { insertDocuments } from '../insertdialog.js';
import './m-compare.js';
import './m-editor.js';
import './m-life.js';

const MOST_EDITED = 1 << 20;

/** One document: editor with guarded save, its life, delete. Events: `close`, `changed`. */
class DocumentPanel extends PageElement {
  static properties = {
    collection: { attribute: false },
    key: { attribute: false },
    paths: { attribute: false },
    writable: { type: Boolean },
    text: { state: true },
    life: { state: true },
    theirs: { state: true },
    gone: { state: true },
    problem: { state: true },
    busy: { state: true },
  };

  willUpdate(changed) {
    if (changed.has('key')) {
      this.read();
    }
  }

  firstUpdated() {
    this.querySelector('h2')?.focus();
  }

  /** Version first, text second: a change in between is then a conflict, never a lost update. */
  async read() {
    const { key } = this;
    this.theirs = this.gone = this.problem = this.text = this.life = undefined;
    try {
      const [life] = await lives(this.collection, [key]);
      const text = await readDocument(this.collection, key);
      if (key !== this.key) {
        return;
      }
      if (text === undefined) {
        this.gone = { text: 'This document does not exist any more.' };
      } else {
        this.stored = indent(text);
        this.text = this.stored;
      }
      this.life = life;
    } catch (error) {
      this.problem = { text: error.message };
    }
  }

  isEdited() {
    return this.text !== undefined && this.text !== this.stored;
  }

  edited(event) {
    this.text = event.detail;
    this.problem = syntaxProblem(this.text);
  }

  warning() {
    if (!this.isEdited() || this.problem) {
      return undefined;
    }
    try {
      if (keyOf(this.text, this.paths) !== keyOf(this.stored, this.paths)) {
        return 'The id or the partition key was changed. Insert it as a new document instead.';
      }
      return ttlWarning(this.collection, rawField(this.text, ['ttl']));
    } catch {
      return undefined;
    }
  }

  async save(version = this.life.version) {
    if (!this.writable || this.busy || this.problem?.line || this.text === undefined) {
      return;
    }
    this.busy = true;
    try {
      const answer = await save(this.collection, this.key, version, this.text);
      if (answer.outcome === 'saved') {
        this.theirs = undefined;
        say('Saved.');
        await this.read();
        this.fire('changed');
      } else if (answer.outcome === 'changed') {
        this.theirs = { ...answer, text: indent(answer.text) };
      } else {
        this.gone = { text: goneText(answer) };
      }
    } catch (error) {
      this.problem = { text: error.message, details: error.body?.details };
    } finally {
      this.busy = false;
    }
  }

  takeTheirs() {
    this.stored = this.theirs.text;
    this.text = this.theirs.text;
    this.life = { ...this.life, version: this.theirs.version };
    this.theirs = undefined;
  }

  async insertAgain() {
    if (await insertDocuments(this.collection, this.text)) {
      this.fire('changed');
      this.read();
    }
  }

  async remove() {
    const done = await ask({ title: 'Delete this document?', action: 'Delete', danger: true,
      body: html`<p class="wrap"><code>${shownKey(this.key)}</code></p>`,
      act: () => removeKeys(this.collection, [this.key]) });
    if (done) {
      say(done.removed ? 'Deleted.' : 'It did not exist any more.');
      this.fire('changed');
      this.fire('close');
    }
  }

  download() {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([this.text], { type: 'application/json' }));
    link.download = 'document.json';
    link.click();
    URL.revokeObjectURL(link.href);
  }

  render() {
    const large = (this.text?.length ?? 0) > MOST_EDITED;
    return html`<section class="stack" aria-label="Document" @keydown=${(event) =>
        event.key === 'Escape' && !event.defaultPrevented && !this.isEdited() &&
          this.fire('close')}>
      <div class="row between"><h2 class="wrap" tabindex="-1">${shownKey(this.key)}</h2>
        <button class="small" @click=${() => this.fire('close')}>Close</button></div>
      ${this.gone ? this.goneCard() : nothing}
      ${this.theirs ? html`<m-compare .mine=${this.text} .theirs=${this.theirs.text}
        @take=${this.takeTheirs} @force=${() => this.save('')}></m-compare>` : nothing}
      ${this.life && !this.gone ? html`<m-life .collection=${this.collection} .life=${this.life}
        .key=${this.key} .text=${this.stored} ?writable=${this.writable}
        @changed=${() => this.read()}></m-life>` : nothing}
      ${this.text === undefined ? nothing : html`
        ${large ? html`<p class="warn-text">${TEXTS.tooLarge} (${bytes(this.text.length)})</p>` :
          nothing}
        <m-editor label="Document" .value=${this.text} ?readOnly=${large || !this.writable}
          .problem=${this.problem} @edited=${this.edited} @save=${() => this.save()}></m-editor>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem.text}
          ${this.problem.details ? html`<code>${this.problem.details}</code>` : nothing}</p>` :
            nothing}
        ${this.warning() ? html`<p class="warn-text">${this.warning()}</p>` : nothing}
        <div class="row">
          ${this.writable && !large ? html`<button class="primary" ?disabled=${!this.isEdited()
              || this.busy || Boolean(this.problem?.line) || Boolean(this.gone)}
            @click=${() => this.save()}>Save</button>
          <button ?disabled=${!this.isEdited()} @click=${() => { this.text = this.stored;
            this.problem = undefined; }}>Discard</button>` : nothing}
          <button @click=${this.download}>Download</button>
          ${this.writable ? html`<button @click=${this.insertAgain}>Copy as new…</button>
            <button class="danger" @click=${this.remove}>Delete…</button>` : nothing}
        </div>`}
    </section>`;
  }

  goneCard() {
    return html`<div class="card warn" role="alert"><p>${this.gone.text}</p>
      ${this.text && this.writable ? html`<div><button @click=${this.insertAgain}>Insert again…
        </button></div>` : nothing}</div>`;
  }
}

function goneText({ at, cause }) {
  const how = { expired: 'It expired', deleted: 'It was deleted', capped: 'It was removed' }[cause];
  return how ? `${TEXTS.gone} ${how}${at ? ` at ${when(toDate(at))}` : ''}.` : TEXTS.gone;
}

/** Place and text of a mistake in JSON. */
export function syntaxProblem(text) {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const found = /position (\d+)/.exec(error.message);
    const before = text.slice(0, found ? Number(found[1]) : text.length).split('\n');
    return { text: `Line ${before.length}: ${error.message.split(' in JSON')[0]}`,
      line: before.length, column: before.at(-1).length + 1 };
  }
}

function ttlWarning(collection, ttl) {
  const valid = ttl === undefined || /^(-1|[1-9]\d{0,9})$/.test(ttl) || ttl.startsWith('{"$number');
  if (valid) {
    return undefined;
  }
  return isContainer(collection)
    ? 'A ttl must be -1 or 1 to 2147483647: the server will refuse this.'
    : 'This ttl is no whole number of seconds: it counts as absent.';
}

customElements.define('m-document', DocumentPanel);
