import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { describe, forReading, indent } from '../ejson.js';
import { toDate } from '../format.js';
import { neverText, ruleName } from '../texts.js';
import './m-countdown.js';
import './m-grid.js';

const FIRST_COLUMNS = 8;
const SAMPLED = 50;
const SYSTEM = new Set(['_rid', '_self', '_etag', '_attachments', '_lsn', '_metadata']);
const JSON_ROWS = 50;
const MOST_SHOWN = 20000;

/** Rows of a query as list, table or JSON. Events as of m-grid. */
class Results extends PageElement {
  static properties = {
    rows: { attribute: false },
    view: { attribute: false },
    complete: { attribute: false },
    container: { attribute: false },
    selectable: { type: Boolean },
    selection: { attribute: false },
    opened: { attribute: false },
    switched: { state: true },
  };

  constructor() {
    super();
    this.rows = [];
    this.switched = new Map();
  }

  idName() {
    return this.container ? 'id' : '_id';
  }

  value(row) {
    row.parsed ??= row.text.startsWith('{') ? forReading(row.text) : { value:
      forReading(row.text) };
    return row.parsed;
  }

  names() {
    const names = new Set();
    for (const row of this.rows.slice(0, SAMPLED)) {
      Object.keys(this.value(row)).forEach((name) => names.add(name));
    }
    names.delete(this.idName());
    SYSTEM.forEach((name) => names.delete(name));
    return [...names];
  }

  columns() {
    const id = { label: this.idName(), width: 'minmax(160px, 240px)',
      cell: (row) => html`<code>${describe(this.value(row)[this.idName()]).text}</code>` };
    const expires = { label: 'expires', width: 'minmax(180px, 260px)', cell: (row) =>
      lifeCell(row) };
    if (this.view === 'list') {
      return [id, expires, { label: 'document', width: 'minmax(260px, 1fr)',
        cell: (row) => html`<span class="mono muted">${this.summary(row)}</span>` }];
    }
    const shown = this.names().filter((name, i) => this.isShown(name, i));
    return [id, expires, ...shown.map((name) => ({ label: name, width: this.width(name),
      cell: (row) => typed(this.value(row)[name]) }))];
  }

  /** The first columns are shown unless they were switched off, the others if switched on. */
  isShown(name, index) {
    return this.switched.get(name) ?? index < FIRST_COLUMNS;
  }

  /** As wide as the texts of the first rows, within bounds. */
  width(name) {
    const longest = Math.max(name.length, ...this.rows.slice(0, SAMPLED).map((row) =>
      describe(this.value(row)[name]).text.length));
    return `minmax(${Math.min(260, Math.max(70, 26 + Math.ceil(longest * 7.5)))}px, 1fr)`;
  }

  summary(row) {
    const { [this.idName()]: _, ...rest } = this.value(row);
    const shown = Object.entries(rest).filter(([name]) => !SYSTEM.has(name));
    return shown.map(([name, value]) => `${name}: ${describe(value).text}`).join('  ').slice(0,
      300);
  }

  render() {
    return this.view === 'json' ? this.texts() : html`
      ${this.view === 'table' ? this.chooser() : nothing}
      <m-grid label="Documents" .rows=${this.rows} .columns=${this.columns()} height="560"
        .total=${this.complete ? this.rows.length : -1} .selection=${this.selection}
        ?selectable=${this.selectable} .opened=${this.opened}></m-grid>`;
  }

  chooser() {
    return html`<details><summary class="small">Columns</summary><div class="row">
      ${this.names().map((name, i) => html`<label class="choice"><input type="checkbox"
        .checked=${this.isShown(name, i)} @change=${(event) =>
          this.toggle(name, event.target.checked)}>${name}</label>`)}
    </div></details>`;
  }

  toggle(name, shown) {
    this.switched = new Map(this.switched).set(name, shown);
  }

  texts() {
    const shown = this.rows.slice(-JSON_ROWS);
    return html`<ul class="stack tight" aria-label="Documents">${shown.map((row) => html`<li
      class="card">
        <pre>${whole(row)}</pre>
        <div class="row between small muted"><span>${lifeCell(row)}</span>
          ${row.key ? html`<button class="small" @click=${() => this.fire('open',
            row)}>Open</button>`
            : nothing}</div></li>`)}</ul>
      ${this.complete ? nothing : html`<div><button @click=${() => this.fire('end')}>Next
        ${JSON_ROWS}</button></div>`}`;
  }
}

/** Text of a row; a large document is cut off and can be opened. */
function whole({ text }) {
  const indented = text.startsWith('{') ? indent(text) : text;
  return indented.length > MOST_SHOWN ? `${indented.slice(0, MOST_SHOWN)}\n…` : indented;
}

function typed(value) {
  const { type, text } = describe(value);
  return html`<span title=${type}>${text}</span>`;
}

/** "in 12 min · default TTL", or why never. */
export function lifeCell(row) {
  const { life } = row;
  if (!life) {
    return nothing;
  }
  if (life.state && life.state !== 'live') {
    return html`<span class="muted">${life.state === 'expired' ? 'expired' : 'gone'}</span>`;
  }
  return life.deadline ? html`<m-countdown .at=${toDate(life.deadline)}></m-countdown>
      <span class="muted">· ${ruleName(life.rule)}</span>`
    : html`<span class="muted" title=${life.why ?? ''}>${neverText(life).replaceAll('`',
      '')}</span>`;
}

customElements.define('m-results', Results);
