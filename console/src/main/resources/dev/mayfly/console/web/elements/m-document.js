import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { lives } from '../commands.js';
import { ask } from '../dialogs.js';
import { readDocument, removeKeys, save } from '../documents.js';
import { indent } from '../ejson.js';
import { bytes, toDate, when } from '../format.js';
import { save as saveFile } from '../exporter.js';
import { shownKey } from '../keytext.js';
import { say } from '../messages.js';
import { dateFields, syntaxProblem, warnings } from '../mistakes.js';
import { TEXTS } from '../texts.js';
import { violationsIn } from '../violations.js';
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
      this.dates ??= await dateFields(this.collection).catch(() => []);
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

  warnings() {
    if (!this.isEdited() || this.problem?.line) {
      return [];
    }
    try {
      return warnings(this.collection, this);
    } catch {
      return [];
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
        this.fire('changed', { key: this.key });
      } else if (answer.outcome === 'changed') {
        this.theirs = { ...answer, text: indent(answer.text) };
      } else {
        this.theirs = undefined;
        this.gone = { text: goneText(answer) };
      }
    } catch (error) {
      this.problem = { text: error.message,
        places: violationsIn(error.body?.details, this.text) };
    } finally {
      this.busy = false;
    }
  }

  async insertAgain() {
    const done = await insertDocuments(this.collection, { text: this.text });
    if (done?.keys.length) {
      this.fire('changed', { key: done.keys[0] });
      if (done.keys[0] === this.key) {
        this.read();
      } else {
        this.fire('open-key', done.keys[0]);
      }
    }
  }

  async delete() {
    const done = await ask({ title: 'Delete this document?', action: 'Delete', danger: true,
      body: html`<p class="wrap"><code>${shownKey(this.key)}</code></p>`,
      act: () => removeKeys(this.collection, [this.key], [this.life.version]) });
    if (done?.changed?.length) {
      say(TEXTS.notDeleted, { error: true });
      this.read();
    } else if (done) {
      say(done.removed ? 'Deleted.' : 'It did not exist any more.');
      this.text = this.stored;
      this.fire('changed', { key: this.key });
      this.fire('close');
    }
  }

  download() {
    saveFile([this.text], 'document.json');
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
        @take=${() => this.read()} @force=${() => this.save(this.theirs.version)}></m-compare>`
        : nothing}
      ${this.life && !this.gone ? html`<m-life .collection=${this.collection} .life=${this.life}
        .key=${this.key} ?edited=${this.isEdited()} ?writable=${this.writable}
        @written=${() => { this.read(); this.fire('changed', { key: this.key }); }}></m-life>`
        : nothing}
      ${this.text === undefined ? nothing : html`
        ${large ? html`<p class="warn-text">${TEXTS.tooLarge} (${bytes(this.text.length)})</p>` :
          nothing}
        <m-editor label="Document" .value=${this.text} ?readOnly=${large || !this.writable}
          ?folded=${large}
          .problem=${this.problem} @edited=${this.edited} @save=${() => this.save()}></m-editor>
        ${this.problem ? this.refusal(this.problem) : nothing}
        ${this.warnings().map((each) => html`<p class="warn-text">${each}</p>`)}
        <div class="row">
          ${this.writable && !large ? html`<button class="primary" ?disabled=${!this.isEdited()
              || this.busy || Boolean(this.problem?.line) || Boolean(this.gone)}
            @click=${() => this.save()}>Save</button>
          <button ?disabled=${!this.isEdited()} @click=${() => { this.text = this.stored;
            this.problem = undefined; }}>Discard</button>` : nothing}
          <button @click=${this.download}>Download</button>
          ${this.writable ? html`<button @click=${this.insertAgain}>Copy as new…</button>
            <button class="danger" @click=${this.delete}>Delete…</button>` : nothing}
        </div>`}
    </section>`;
  }

  refusal({ text, places = [] }) {
    return html`<div class="problem" role="alert"><p>${text}</p>
      ${places.length ? html`<ul>${places.map(({ path, line, text: why }) => html`<li>
        ${path ? html`<code>${path}</code>` : nothing}${line ? ` (line ${line})` : ''}
        ${why}</li>`)}</ul>` : nothing}</div>`;
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

customElements.define('m-document', DocumentPanel);
