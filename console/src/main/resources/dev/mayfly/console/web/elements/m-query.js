import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { isContainer } from '../texts.js';
import './m-editor.js';

const OPERATORS = [
  ['equals', '$eq', '='], ['is not', '$ne', '!='], ['less than', '$lt', '<'],
  ['greater than', '$gt', '>'], ['exists', '$exists', ''],
];

/**
 * Query box. Events: `query` (changed), `run`, `stop`, `count`, `keep`,
 * `recall`, `go-to` (an id as it was typed).
 */
class Query extends PageElement {
  static properties = {
    collection: { attribute: false },
    query: { attribute: false },
    running: { type: Boolean },
    problem: { attribute: false },
    past: { attribute: false },
    saved: { attribute: false },
    building: { state: true },
  };

  edit(change) {
    this.fire('query', { ...this.query, ...change });
  }

  run(text) {
    this.fire('run', text === undefined || text === this.query.text ? undefined : { text });
  }

  goTo(event) {
    event.preventDefault();
    this.fire('go-to', new FormData(event.target).get('id').trim());
  }

  render() {
    const container = isContainer(this.collection);
    return html`<section class="card" aria-label="Query">
      <m-editor data-filter compact .value=${this.query.text} language=${container ? 'sql' : 'json'}
        label=${container ? 'Query in SQL' : this.query.pipeline ? 'Pipeline' : 'Filter'}
        .problem=${this.problem} @edited=${(event) => this.edit({ text: event.detail })}
        @run=${(event) => { event.stopPropagation(); this.run(event.detail); }}></m-editor>
      ${container || this.query.pipeline ? nothing : this.options()}
      ${this.building ? this.builder() : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem.text}</p>` : nothing}
      <div class="row">
        ${this.running ? html`<button @click=${() => this.fire('stop')}>Stop (Esc)</button>`
          : html`<button class="primary" @click=${() => this.run()}>Run</button>`}
        <button @click=${() => this.fire('count')}>Count</button>
        <button aria-pressed=${this.building ? 'true' : 'false'}
          @click=${() => { this.building = !this.building; }}>Build…</button>
        ${container ? nothing : html`<button aria-pressed=${this.query.pipeline ? 'true' : 'false'}
          @click=${() => this.edit({ pipeline: !this.query.pipeline,
            text: this.query.pipeline ? '{}' : '[]' })}>Pipeline</button>`}
        <span class="grow"></span>
        <form class="row" @submit=${this.goTo}><input name="id" required class="mono id"
          aria-label="Go to id" placeholder="Go to id" autocomplete="off" spellcheck="false">
          <button>Go</button></form>
        ${this.pastQueries()}
        <button @click=${() => this.fire('keep')}>Save query…</button>
      </div></section>`;
  }

  options() {
    const input = (name, label, placeholder) => html`<div class="field wide grow">
      <label for="query-${name}">${label}</label><input id="query-${name}" class="mono"
        .value=${this.query[name]} placeholder=${placeholder} autocomplete="off"
        @input=${(event) => this.edit({ [name]: event.target.value })}
        @keydown=${(event) => event.key === 'Enter' && this.run()}></div>`;
    return html`<details ?open=${Boolean(this.query.sort || this.query.projection)}>
      <summary class="small">Sort and fields</summary><div class="row">
      ${input('sort', 'Sort', '{at: -1}')}${input('projection', 'Fields', '{name: 1}')}</div>
      </details>`;
  }

  pastQueries() {
    const past = this.past ?? [];
    const saved = this.saved ?? [];
    return past.length + saved.length === 0 ? nothing : html`<select class="short"
        aria-label="Earlier queries"
        @change=${(event) => { this.fire('recall', event.target.value); event.target.value = ''; }}>
      <option value="">Earlier queries</option>
      ${saved.length ? html`<optgroup label="Saved">${saved.map((each) => html`
        <option value=${`saved:${each.id}`}>${each.name}</option>`)}
        <option value="manage:">Delete saved queries…</option></optgroup>` : nothing}
      ${past.length ? html`<optgroup label="This tab">${past.map((each, i) => html`
        <option value=${`past:${i}`}>${each.text.slice(0, 60)}</option>`)}</optgroup>` : nothing}
    </select>`;
  }

  builder() {
    return html`<form class="row" aria-label="Build a query" @submit=${this.build}>
      <input name="field" required placeholder="field" aria-label="Field" autocomplete="off">
      <select name="operator" aria-label="Operator">${OPERATORS.map(([label], i) => html`
        <option value=${i}>${label}</option>`)}</select>
      <input name="value" placeholder="value" aria-label="Value" autocomplete="off">
      <button>Write it</button>
      <span class="hint">Numbers, true, false, null are values; everything else is a text.</span>
    </form>`;
  }

  build(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const field = form.get('field').trim();
    const [label, operator, sign] = OPERATORS[Number(form.get('operator'))];
    const typed = form.get('value').trim();
    const value = /^(-?\d+(\.\d+)?|true|false|null)$/.test(typed) ? typed : JSON.stringify(typed);
    const path = field.split('.').map((part) => `[${JSON.stringify(part)}]`).join('');
    const exists = label === 'exists';
    const text = isContainer(this.collection)
      ? `SELECT * FROM c WHERE ${exists ? `IS_DEFINED(c${path})` : `c${path} ${sign} ${value}`}`
      : `{${JSON.stringify(field)}: {"${operator}": ${exists ? 'true' : value}}}`;
    this.edit({ text, pipeline: false });
  }
}

customElements.define('m-query', Query);
