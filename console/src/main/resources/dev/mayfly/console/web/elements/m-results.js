import { html, nothing } from 'lit';
import { PageElement } from '../base.js';
import { describe, forReading, indent } from '../ejson.js';
import { toDate } from '../format.js';
import { neverText, ruleName } from '../texts.js';
import './m-countdown.js';
import './m-grid.js';

const MOST_COLUMNS = 8;
const SYSTEM = new Set(['_rid', '_self', '_etag', '_attachments', '_lsn', '_metadata']);
const JSON_ROWS = 50;

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
    hiddenColumns: { state: true },
  };

  constructor() {
    super();
    this.rows = [];
    this.hiddenColumns = new Set();
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
    for (const row of this.rows.slice(0, 50)) {
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
    const shown = this.names().filter((name) => !this.hiddenColumns.has(name))
      .slice(0, MOST_COLUMNS);
    return [id, expires, ...shown.map((name) => ({ label: name, width: 'minmax(120px, 200px)',
      cell: (row) => typed(this.value(row)[name]) }))];
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
      ${this.names().map((name) => html`<label class="choice"><input type="checkbox"
        .checked=${!this.hiddenColumns.has(name)} @change=${() =>
          this.toggle(name)}>${name}</label>`)}
    </div></details>`;
  }

  toggle(name) {
    const hidden = new Set(this.hiddenColumns);
    hidden.delete(name) || hidden.add(name);
    this.hiddenColumns = hidden;
  }

  texts() {
    const shown = this.rows.slice(-JSON_ROWS);
    return html`<ul class="stack tight" aria-label="Documents">${shown.map((row) => html`<li
      class="card">
        <pre>${row.text.startsWith('{') ? indent(row.text) : row.text}</pre>
        <div class="row between small muted"><span>${lifeCell(row)}</span>
          ${row.key ? html`<button class="small" @click=${() => this.fire('open',
            row)}>Open</button>`
            : nothing}</div></li>`)}</ul>
      ${this.complete ? nothing : html`<div><button @click=${() => this.fire('end')}>Next
        ${JSON_ROWS}</button></div>`}`;
  }
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
