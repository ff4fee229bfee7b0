import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { count } from '../format.js';
import { seconds } from '../rules.js';
import { TEXTS, isContainer } from '../texts.js';

const UNITS = [['seconds', 1], ['minutes', 60], ['hours', 3600], ['days', 86400]];

/** Form of the rules of a collection. Event: `edited` with the fields. */
class TtlForm extends PageElement {
  static properties = {
    collection: { attribute: false },
    fields: { attribute: false },
    definitions: { attribute: false },
    disabled: { type: Boolean },
  };

  edit(change) {
    this.fire('edited', { ...this.fields, ...change });
  }

  render() {
    return html`<div class="stack">
      ${this.defaultRule()}
      ${isContainer(this.collection) ? nothing : this.indexRules()}
      ${isContainer(this.collection) && this.fields.id.off ? nothing : this.idRule()}
      <div class="field"><span class="name" id="grace-name">Grace</span>
        ${this.time('grace', this.fields.grace, (grace) => this.edit({ grace }), 'none')}
        <p class="hint">${TEXTS.graceHint}</p></div>
    </div>`;
  }

  defaultRule() {
    const { mode } = this.fields;
    const choice = (value, label) => html`<label><input type="radio" name="mode"
      .checked=${mode === value} ?disabled=${this.disabled}
      @change=${() => this.edit({ mode: value, time: { number: '', unit: 60 } })}>${label}</label>`;
    return html`<fieldset class="stack tight">
      <legend>${isContainer(this.collection) ? 'Time to live'
        : html`Time to live since the last write (index on <code>_ts</code>)`}</legend>
      <div class="choice">${choice('off', 'Off')}</div>
      <div class="choice">
        ${choice('own', 'On (no default): only documents with a ttl expire')}</div>
      <div class="choice">${choice('on', 'On')}
        ${mode === 'on' ? this.time('default', this.fields.time, (time) => this.edit({ time }))
          : nothing}</div>
      ${mode === 'off' ? nothing : html`<div class="field">
        <label for="ttl-property">Start of the life (property path)</label>
        <input id="ttl-property" .value=${this.fields.property} placeholder="last write"
          ?disabled=${this.disabled} autocomplete="off"
          @input=${(event) => this.edit({ property: event.target.value.trim() })}>
        <p class="hint">Empty: the last write. Otherwise a property with epoch seconds.</p></div>`}
      ${this.inForce()}
    </fieldset>`;
  }

  inForce() {
    const rows = [['off', 'Off', 'never', 'never', 'never'],
      ['own', 'On (no default)', 'never', 'never', 'm seconds after its last write'],
      ['on', 'On: n seconds', 'n seconds after its last write', 'never',
        'm seconds after its last write']];
    return html`<details><summary class="small">When does a document expire?</summary>
      <div class="table-box" tabindex="0" role="region" aria-label="Default and own ttl"><table>
        <thead><tr><th scope="col">Time to live</th><th scope="col">without ttl</th>
          <th scope="col">ttl: -1</th><th scope="col">ttl: m</th></tr></thead>
        <tbody>${rows.map(([mode, ...cells]) => html`
          <tr class=${mode === this.fields.mode ? 'marked' : ''}>${cells.map((cell, i) => (i === 0
            ? html`<th scope="row">${cell}${mode === this.fields.mode ? ' (chosen)' : ''}</th>`
            : html`<td>${cell}</td>`))}</tr>`)}</tbody>
      </table></div></details>`;
  }

  indexRules() {
    const entries = Object.entries(this.fields.indexes);
    return html`<fieldset class="stack tight"><legend>TTL indexes</legend>
      ${entries.length === 0 ? html`<p class="muted">None.</p>` : nothing}
      ${entries.map(([name, field]) => html`<div class="choice">
        <label><input type="checkbox" .checked=${field.on} ?disabled=${this.disabled}
          @change=${(event) => this.editIndex(name, { on: event.target.checked })}>
          ${this.definition(name)}</label>
        ${field.on ? this.time(`index-${name}`, field, (time) => this.editIndex(name, time))
          : html`<span class="muted">the index stays, its rule goes</span>`}</div>`)}
      <div><button ?disabled=${this.disabled} @click=${() => this.fire('add-index')}>Add a TTL
        index…</button></div>
    </fieldset>`;
  }

  definition(name) {
    const known = this.definitions?.find((each) => each.name === name);
    if (!known) {
      return html`<span>index <code>${name}</code></span>`;
    }
    const filter = known.partialFilterExpression;
    return html`<span>after the date in <code>${Object.keys(known.key).join(', ')}</code>
      ${filter ? html`where <code>${JSON.stringify(filter)}</code>` : nothing}</span>`;
  }

  editIndex(name, change) {
    const indexes = { ...this.fields.indexes };
    indexes[name] = { ...indexes[name], ...change };
    this.edit({ indexes });
  }

  idRule() {
    const { id } = this.fields;
    return html`<fieldset class="stack tight"><legend>Date in the id</legend><div class="choice">
      <label><input type="checkbox" .checked=${!id.off} ?disabled=${this.disabled}
        @change=${(event) => this.edit({ id: { ...id, off: !event.target.checked } })}>
        after the date in <code>_id</code> (ids that are dates)</label>
      ${id.off ? nothing : this.time('id', id, (time) => this.edit({ id: { ...id, ...time } }))}
    </div></fieldset>`;
  }

  time(name, value, changed, placeholder = '') {
    const total = seconds(value);
    return html`<span class="row">
      <input type="number" min="0" step="1" aria-label="${name}: number"
        .value=${String(value.number)}
        placeholder=${placeholder} ?disabled=${this.disabled}
        @input=${(event) => changed({ ...value, number: event.target.value })}>
      <select aria-label="${name}: unit" ?disabled=${this.disabled}
        @change=${(event) => changed({ ...value, unit: Number(event.target.value) })}>
        ${UNITS.map(([label, unit]) => html`<option value=${unit} .selected=${unit === value.unit}
          >${label}</option>`)}</select>
      ${total !== undefined && value.unit !== 1 ? html`<span class="hint">=
        ${count(total)} s</span>`
        : nothing}
    </span>`;
  }
}

customElements.define('m-ttl-form', TtlForm);
