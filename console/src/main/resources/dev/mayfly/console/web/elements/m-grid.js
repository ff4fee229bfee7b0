import { html, nothing } from 'lit';
import { PageElement } from '../base.js';

const ROW_HEIGHT = 33;
const AROUND = 6;
const PAGE_ROWS = 10;

/** @typedef {{label: string, width?: string, cell: (row: any) => unknown}} Column */

/**
 * Rows of which only those in sight are in the page. Keys as in a grid: arrows, Home, End, Page
 * Up and Down, Enter opens, Space selects. The active row is the active descendant.
 *
 * Events: `open` (row), `selection` (Set of rows), `end` when the end comes into sight.
 */
class Grid extends PageElement {
  static properties = {
    columns: { attribute: false },
    rows: { attribute: false },
    label: { type: String },
    total: { type: Number },
    selectable: { type: Boolean },
    selection: { attribute: false },
    height: { type: Number },
    opened: { attribute: false },
    first: { state: true },
    active: { state: true },
  };

  constructor() {
    super();
    this.columns = [];
    this.rows = [];
    this.label = 'Rows';
    this.total = -1;
    this.selection = new Set();
    this.height = 420;
    this.first = 0;
    this.active = 0;
    this.uid = `grid-${Grid.made = (Grid.made ?? 0) + 1}`;
  }

  box() {
    return this.querySelector('.grid');
  }

  visibleRows() {
    return Math.ceil(this.height / ROW_HEIGHT) + AROUND;
  }

  scrolled() {
    const box = this.box();
    this.first = Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT) - AROUND / 2);
    if (box.scrollTop + box.clientHeight > this.rows.length * ROW_HEIGHT - box.clientHeight) {
      this.fire('end');
    }
  }

  pressed(event) {
    const last = this.rows.length - 1;
    const to = { ArrowDown: this.active + 1, ArrowUp: this.active - 1, Home: 0, End: last,
      PageDown: this.active + PAGE_ROWS, PageUp: this.active - PAGE_ROWS }[event.key];
    if (event.ctrlKey && event.key === 'a' && this.selectable) {
      event.preventDefault();
      this.choose(new Set(this.rows));
    } else if (to !== undefined) {
      event.preventDefault();
      this.activate(Math.max(0, Math.min(last, to)));
    } else if (event.key === 'Enter' && this.rows[this.active]) {
      event.preventDefault();
      this.fire('open', this.rows[this.active]);
    } else if (event.key === ' ' && this.selectable && this.rows[this.active]) {
      event.preventDefault();
      this.toggle(this.rows[this.active]);
    }
  }

  activate(index) {
    this.active = index;
    const box = this.box();
    const top = index * ROW_HEIGHT;
    if (top < box.scrollTop) {
      box.scrollTop = top;
    } else if (top + 2 * ROW_HEIGHT > box.scrollTop + box.clientHeight) {
      box.scrollTop = top + 2 * ROW_HEIGHT - box.clientHeight;
    }
    if (index >= this.rows.length - 1) {
      this.fire('end');
    }
  }

  toggle(row) {
    const chosen = new Set(this.selection);
    if (!chosen.delete(row)) {
      chosen.add(row);
    }
    this.choose(chosen);
  }

  choose(chosen) {
    this.selection = chosen;
    this.fire('selection', chosen);
  }

  clicked(row, index, event) {
    this.active = index;
    if (this.selectable && (event.ctrlKey || event.metaKey || event.target.closest('.check'))) {
      this.toggle(row);
    } else {
      this.fire('open', row);
    }
  }

  willUpdate(changed) {
    if (changed.has('rows')) {
      this.active = Math.min(this.active, Math.max(0, this.rows.length - 1));
    }
  }

  render() {
    const from = Math.min(this.first, Math.max(0, this.rows.length - 1));
    const shown = this.rows.slice(from, from + this.visibleRows());
    const active = this.rows[this.active];
    return html`<div class="grid" role="grid" tabindex="0" aria-label=${this.label}
        aria-rowcount=${this.total < 0 ? -1 : this.total + 1}
        aria-multiselectable=${this.selectable ? 'true' : nothing}
        aria-activedescendant=${active && shown.includes(active)
          ? `${this.uid}-${this.active}` : nothing}
        @keydown=${this.pressed} @scroll=${this.scrolled}>
      <div class="head" role="rowgroup"><div role="row" aria-rowindex="1">
        ${this.selectable ? html`<div role="columnheader"><span class="unseen">Selected</span>
          </div>` : nothing}
        ${this.columns.map((column) => html`<div role="columnheader">${column.label}</div>`)}
      </div></div>
      <div class="body" role="rowgroup">
        ${shown.map((row, i) => this.renderRow(row, from + i))}
      </div>
    </div>`;
  }

  renderRow(row, index) {
    const chosen = this.selection.has(row);
    const selected = this.selectable ? chosen : this.opened === row;
    return html`<div role="row" id="${this.uid}-${index}" aria-rowindex=${index + 2}
        class=${index === this.active ? 'active' : ''} aria-selected=${selected ? 'true' : 'false'}
        data-index=${index} @click=${(event) => this.clicked(row, index, event)}>
      ${this.selectable ? html`<div role="gridcell" class="check">${chosen ? '☑' : '☐'}
        <span class="unseen">${chosen ? 'selected' : 'not selected'}</span></div>` : nothing}
      ${this.columns.map((column) => html`<div role="gridcell">${column.cell(row)}</div>`)}
    </div>`;
  }

  /** Positions are set here: the content policy forbids style attributes in templates. */
  updated() {
    const box = this.box();
    const widths = this.columns.map((column) => column.width ?? 'minmax(120px, 1fr)');
    box.style.setProperty('--columns', [...(this.selectable ? ['40px'] : []), ...widths].join(' '));
    const least = widths.reduce((sum, width) => sum + Number(/\d+/.exec(width)[0]), 40);
    box.style.setProperty('--row-width', `${least}px`);
    box.style.setProperty('--grid-height', `${this.fittingHeight()}px`);
    const body = box.querySelector('.body');
    body.style.height = `${this.rows.length * ROW_HEIGHT}px`;
    for (const row of body.children) {
      row.style.top = `${Number(row.dataset.index) * ROW_HEIGHT}px`;
      row.style.height = `${ROW_HEIGHT}px`;
    }
  }

  fittingHeight() {
    return Math.max(3 * ROW_HEIGHT, Math.min(this.height,
      (this.rows.length + 1) * ROW_HEIGHT + 20));
  }
}

customElements.define('m-grid', Grid);
