import { html, nothing } from 'lit';
import { Loader, PageElement } from '../base.js';
import { get, post } from '../api.js';
import { everySecond } from '../clock.js';
import { about, health, mongo } from '../commands.js';
import { ask } from '../dialogs.js';
import { counted, share } from '../format.js';
import { say } from '../messages.js';
import { changedRules, toChange, toFields } from '../rules.js';
import { isContainer, ruleSentences } from '../texts.js';
import { createIndex } from '../indexdialog.js';
import { showDocument } from '../showdocument.js';
import '../elements/m-ttl-form.js';
import '../elements/m-preview.js';
import '../elements/m-rules-now.js';
import '../elements/m-undo.js';
import '../elements/m-rule-history.js';

const STALE_MILLIS = 60000;
const HALF_HOUR = { bucketSeconds: 1800, buckets: 48 };
const DAY_SECONDS = 86400;

/** Time to live of a collection: rules, preview, apply, undo, history. */
class Ttl extends PageElement {
  static properties = {
    collection: { attribute: false },
    writable: { type: Boolean },
    fields: { state: true },
    preview: { state: true },
    refusal: { state: true },
  };

  constructor() {
    super();
    this.rules = new Loader(this, (signal) => get(about(this.collection, 'rules'), signal), 30000);
    this.health = new Loader(this, (signal) => health(this.collection, signal), 30000);
    this.undo = new Loader(this, (signal) => get(about(this.collection, 'undo'), signal), 30000);
    this.previewing = new Loader(this, (signal) => this.readPreview(signal));
    this.moved = () => this.reload();
  }

  connectedCallback() {
    super.connectedCallback();
    window.addEventListener('clock-moved', this.moved);
    this.stop = everySecond(() => this.preview && this.requestUpdate());
    this.reload();
    this.readDefinitions();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('clock-moved', this.moved);
    this.stop();
  }

  async readDefinitions() {
    if (!isContainer(this.collection)) {
      const { documents = [] } = await mongo(this.collection.database,
        { listIndexes: this.collection.collection }).catch(() => ({}));
      this.definitions = documents.map((text) => JSON.parse(text));
      this.requestUpdate();
    }
  }

  async reload() {
    this.health.run();
    this.undo.run();
    await this.rules.run();
    this.fields ??= this.rules.value && toFields(this.rules.value.rules);
  }

  edited(event) {
    this.fields = event.detail;
    this.preview = undefined;
    this.refusal = undefined;
    this.previewing.clear();
  }

  discard() {
    this.fields = toFields(this.rules.value.rules);
    this.preview = undefined;
    this.refusal = undefined;
  }

  async readPreview(signal) {
    const { change } = toChange(this.fields, this.rules.value.rules);
    const [preview, current] = await Promise.all([
      post(about(this.collection, 'what-if'), { ...change, ...HALF_HOUR, keys: 20 }, signal),
      post(about(this.collection, 'forecast'), HALF_HOUR, signal)]);
    this.preview = { ...preview, change, current, readAt: performance.now() };
    return this.preview;
  }

  isStale() {
    return this.preview && performance.now() - this.preview.readAt > STALE_MILLIS;
  }

  async apply() {
    const { preview } = this;
    const grace = preview.change.graceSeconds ?? this.rules.value.rules.graceSeconds ?? 0;
    let { change } = preview;
    if (preview.expired > 0) {
      const answer = await this.confirm(preview, grace);
      if (!answer) {
        return;
      }
      change = answer.keep && grace === 0 ? { ...change, graceSeconds: DAY_SECONDS } : change;
    }
    await this.send(change, preview);
  }

  confirm(preview, grace) {
    return ask({ title: `Expire ${counted(preview.expired, 'document')} now?`, danger: true,
      action: 'Apply', word: this.collection.collection,
      body: (values, set) => html`<p>${share(preview.expired, preview.documents)} of the
          collection will be invisible at once.</p>
        ${grace === 0 ? html`<label class="choice"><input type="checkbox" .checked=${values.keep}
          @change=${(event) => set('keep', event.target.checked)}>Keep them for a day, so that this
          can be undone (grace)</label>` : nothing}
        ${grace === 0 && !values.keep ? html`<p class="danger-text">Without a grace this cannot be
          undone.</p>` : nothing}`,
      act: (values) => values }, { keep: grace === 0 });
  }

  async send(change, preview) {
    try {
      const done = await post(about(this.collection, 'ttl'),
        { ...change, most: preview.expired, ifRules: preview.rulesTag });
      this.preview = undefined;
      this.fields = undefined;
      this.refusal = undefined;
      await this.reload();
      const undoable = this.undo.value?.possible && done.expired > 0;
      say(`The rules were changed. ${counted(done.expired, 'document')} expired.`,
        undoable ? { label: 'Undo', action: () => this.querySelector('m-undo')?.undo() } : {});
      this.fire('collections-changed');
    } catch (refused) {
      await this.refused(refused);
    }
  }

  async refused(refused) {
    this.refusal = refused.message;
    if (['EXPIRES_TOO_MUCH', 'RULES_CHANGED'].includes(refused.code)) {
      await this.rules.run();
      this.refusal += ' Nothing was changed. Below is the new preview.';
      await this.previewing.run();
    } else {
      this.preview = undefined;
    }
  }

  async addIndex() {
    if (await createIndex(this.collection, { ttl: true })) {
      this.fields = undefined;
      await this.reload();
      this.readDefinitions();
      this.fire('collections-changed');
    }
  }

  render() {
    return html`<div class="stack">
      <m-undo .collection=${this.collection} .undoable=${this.undo.value}
        .change=${this.rules.value?.changes?.[0]} ?writable=${this.writable}
        @undone=${() => { this.fields = undefined; this.preview = undefined; this.reload();
          this.fire('collections-changed'); }}></m-undo>
      <section class="card"><h2>Rules now</h2>
        ${this.health.render()}${this.rules.render()}
        ${this.health.value ? html`<m-rules-now .health=${this.health.value}
          .rules=${this.rules.value?.rules} @look=${this.look}></m-rules-now>` : nothing}</section>
      ${this.fields && this.rules.value ? this.change() : nothing}
      <section class="card"><h2>History of the rules</h2>
        <m-rule-history .changes=${this.rules.value?.changes}></m-rule-history></section>
    </div>`;
  }

  look(event) {
    showDocument(this.collection, event.detail);
  }

  change() {
    const { rules } = this.rules.value;
    const { change, problem } = toChange(this.fields, rules);
    const edited = Boolean(change || problem);
    return html`<div class="columns">
      <section class="card"><h2>Change the rules</h2>
        <m-ttl-form .collection=${this.collection} .fields=${this.fields}
          .definitions=${this.definitions} ?disabled=${!this.writable} @edited=${this.edited}
          @add-index=${this.addIndex}></m-ttl-form>
        ${problem ? html`<p class="problem">${problem}</p>` : nothing}
        ${this.writable ? html`<div class="row">
          <button class=${this.preview && !this.isStale() ? '' : 'primary'} ?disabled=${!change}
            @click=${() => this.previewing.run()}>Preview</button>
          ${edited ? html`<button class="plain" @click=${this.discard}>Discard</button>` : nothing}
        </div>` : nothing}</section>
      <section class="card"><h2>Preview</h2>
        ${this.refusal ? html`<p class="problem" role="alert">${this.refusal}</p>` : nothing}
        ${this.previewing.render()}
        ${this.preview ? this.previewed(rules) : html`<p class="muted">${change
          ? 'Preview the change to see what it would expire. Nothing is changed by it.'
          : 'Change a rule, then preview it here.'}</p>`}</section></div>`;
  }

  previewed(rules) {
    return html`<ul class="stack tight">${ruleSentences(changedRules(rules, this.preview.change))
        .map((sentence) => html`<li>${sentence.replaceAll('`', '')}</li>`)}</ul>
      <m-preview .preview=${this.preview} .current=${this.preview.current}
        ?stale=${this.isStale()} @look=${this.look}></m-preview>
      <div class="row"><button class="primary ${this.preview.expired ? 'danger' : ''}"
        ?disabled=${this.isStale()} @click=${this.apply}>${
          this.preview.expired ? 'Apply…' : 'Apply'}</button></div>`;
  }
}

customElements.define('m-ttl', Ttl);
